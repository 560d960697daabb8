import Core
import TestSupport
import Testing

@testable import Delivery

/// One connection to a broker, step by step.
@Suite struct BrokerSessionTests {
  private static let brokers = ["mqtt://one", "mqtt://two"].map {
    // swift-format-ignore: these are addresses
    try! BrokerAddress(parsing: $0)
  }
  private static let start = BootInstant.boot(1000)
  private static let welcome = BrokerEvent.Welcome(
    version: .five, hasSession: true, receiveMaximum: 20)

  private static func plan(
    _ recipients: Recipient..., requests: [String] = ["me/cmd"], receipts: String? = nil,
    stays: Bool = false
  ) -> BrokerPlan {
    BrokerPlan(
      brokers: brokers, recipients: recipients, requestTopics: requests,
      receiptTopic: receipts, stays: stays)
  }

  private static func item(_ number: Int64, to recipient: Recipient) -> OutboxItem {
    OutboxItem(
      number: number, to: recipient, layer: "visits", record: number,
      sequence: recipient == .collector ? StreamNumber(stream: "s1", number: number) : nil,
      topic: "t", payload: Array("{\"n\":\(number)}".utf8))
  }

  private static func items(_ numbers: ClosedRange<Int64>, to recipient: Recipient) -> [OutboxItem]
  {
    numbers.map { item($0, to: recipient) }
  }

  private static func numbers(_ effects: [BrokerSession.Effect]) -> [Int64] {
    effects.compactMap { if case .publish(_, let number) = $0 { number } else { nil } }
  }

  private static func ending(_ effects: [BrokerSession.Effect]) -> BrokerSession.Ending? {
    effects.lazy.compactMap { if case .ended(let ending) = $0 { ending } else { nil } }.first
  }

  @Test("brokers are tried in turn, and the last failure is reported") func turns() {
    var session = BrokerSession(Self.plan(.owntracks))
    #expect(session.step(.begin, at: Self.start) == [.connect(Self.brokers[0])])
    let first = BrokerFailure(.refused, at: Self.brokers[0])
    #expect(
      session.step(.broker(.failed(first)), at: Self.start) == [.connect(Self.brokers[1])])
    let second = BrokerFailure(.timedOut, at: Self.brokers[1])
    #expect(
      session.step(.broker(.failed(second)), at: Self.start)
        == [.ended(.init(failure: second))])
    #expect(session.wake == nil)
    #expect(session.step(.begin, at: Self.start) == [.connect(Self.brokers[0])])
  }

  @Test("a later broker's passing failure does not hide a rejected password") func lasting() {
    var session = BrokerSession(Self.plan(.owntracks))
    for _ in 0..<2 {
      _ = session.step(.begin, at: Self.start)
      let rejected = BrokerFailure(.wrongPassword, at: Self.brokers[0])
      _ = session.step(.broker(.failed(rejected)), at: Self.start)
      let refused = BrokerFailure(.refused, at: Self.brokers[1])
      #expect(
        session.step(.broker(.failed(refused)), at: Self.start)
          == [.ended(.init(failure: rejected))])
    }
    _ = session.step(.begin, at: Self.start)
    let timedOut = BrokerFailure(.timedOut, at: Self.brokers[0])
    _ = session.step(.broker(.failed(timedOut)), at: Self.start)
    let takenOver = BrokerFailure(.takenOver, at: Self.brokers[1])
    #expect(
      session.step(.broker(.failed(takenOver)), at: Self.start)
        == [.ended(.init(failure: takenOver))])
  }

  @Test("waiting items are published in order, up to the limits, and settled")
  func says() {
    var session = BrokerSession(Self.plan(.owntracks))
    _ = session.step(.begin, at: Self.start)
    #expect(
      session.step(.broker(.connected(Self.welcome)), at: Self.start)
        == [.subscribe(["me/cmd"]), .fetch(.owntracks, after: 0, atMost: 100)])
    let said = session.step(
      .items(.owntracks, Self.items(1...30, to: .owntracks)), at: Self.start)
    #expect(Self.numbers(said) == Array(1...20))
    var more: [Int64] = []
    var settled: [Int64] = []
    for number in Int64(1)...30 {
      let effects = session.step(
        .broker(.acknowledged(number: number, .success)), at: Self.start + 0.01)
      more += Self.numbers(effects)
      for case .storeResults(let settlements) in effects { settled += settlements.map(\.number) }
    }
    #expect(more == Array(21...30))
    #expect(settled.isEmpty, "they wait for others for a moment")
    #expect(session.wake == Self.start + 0.01 + DeliveryResultQueue.time)
    let woken = session.step(.woke, at: Self.start + 0.51)
    #expect(woken == [.storeResults((1...30).map { DeliveryResult($0, .received) })])
    #expect(session.wake == Self.start + 0.01 + BrokerSessionLimits.requestWait)
    #expect(session.step(.woke, at: Self.start + 2.01) == [.disconnect])
    #expect(
      session.step(.broker(.disconnected), at: Self.start + 2.1)
        == [.ended(.init(failure: nil))])
  }

  @Test("without a subscription, it disconnects at the last acknowledgement") func waitsForNothing()
  {
    var session = BrokerSession(Self.plan(.owntracks, requests: []))
    _ = session.step(.begin, at: Self.start)
    _ = session.step(.broker(.connected(Self.welcome)), at: Self.start)
    _ = session.step(.items(.owntracks, Self.items(1...1, to: .owntracks)), at: Self.start)
    _ = session.step(.items(.owntracks, []), at: Self.start)
    let effects = session.step(.broker(.acknowledged(number: 1, .success)), at: Self.start + 0.3)
    #expect(effects.contains(.storeResults([DeliveryResult(1, .received)])))
    #expect(effects.last == .disconnect)
  }

  @Test("a broker with a small receive maximum is given few messages") func window() {
    var session = BrokerSession(Self.plan(.owntracks))
    _ = session.step(.begin, at: Self.start)
    var welcome = Self.welcome
    welcome.receiveMaximum = 2
    _ = session.step(.broker(.connected(welcome)), at: Self.start)
    let said = session.step(
      .items(.owntracks, Self.items(1...5, to: .owntracks)), at: Self.start)
    #expect(Self.numbers(said) == [1, 2])
  }

  @Test("fewer long messages are in flight at once, but at least one") func bytes() {
    var session = BrokerSession(Self.plan(.owntracks))
    _ = session.step(.begin, at: Self.start)
    _ = session.step(.broker(.connected(Self.welcome)), at: Self.start)
    var items = Self.items(1...5, to: .owntracks)
    for index in items.indices {
      items[index].payload = [UInt8](repeating: 0, count: BrokerSessionLimits.maxBytesInFlight / 2)
    }
    items[2].payload = [UInt8](repeating: 0, count: BrokerSessionLimits.maxBytesInFlight + 1)
    #expect(Self.numbers(session.step(.items(.owntracks, items), at: Self.start)) == [1, 2])
    func acknowledged(_ number: Int64) -> [Int64] {
      Self.numbers(
        session.step(.broker(.acknowledged(number: number, .success)), at: Self.start))
    }
    #expect(acknowledged(1) == [3])
    #expect(acknowledged(2) == [])
    #expect(acknowledged(3) == [4, 5])
  }

  @Test("without automatic acknowledgement a client is not sent more than a broker keeps")
  func pace() {
    var session = BrokerSession(Self.plan(.owntracks))
    _ = session.step(.begin, at: Self.start)
    var waiting = session.step(.broker(.connected(Self.welcome)), at: Self.start)
    var said: [Int64] = []
    /// A broker that acknowledges at once, for an endless outbox.
    func serve(at now: BootInstant) {
      while !waiting.isEmpty {
        switch waiting.removeFirst() {
        case .fetch(let recipient, let after, let most):
          let items = Self.items(after + 1...after + Int64(most), to: recipient)
          waiting += session.step(.items(recipient, items), at: now)
        case .publish(_, let number):
          said.append(number)
          waiting += session.step(.broker(.acknowledged(number: number, .success)), at: now)
        default: break
        }
      }
    }
    serve(at: Self.start)
    #expect(said == Array(1...Int64(RateLimit.atOnce)))
    for second in 1...3 {
      while let wake = session.wake, wake <= Self.start + Seconds(Double(second)) {
        waiting = session.step(.woke, at: wake)
        serve(at: wake)
      }
      let due = RateLimit.atOnce + second * Int(RateLimit.perSecond)
      #expect((due - RateLimit.portion...due).contains(said.count))
    }
    #expect(session.step(.end, at: Self.start + 3.1).contains(.disconnect))
    #expect(session.wake == nil)
  }

  private static let verdicts:
    [(reason: UInt8, recipient: Recipient, verdict: AcknowledgementMeaning)] = [
      (0, .owntracks, .accepted(.received)), (0, .collector, .accepted(.handedOver)),
      (0x10, .homeAssistant, .accepted(.received)),
      (0x10, .owntracks, .blocked("it has no subscriber")),
      (0x10, .collector, .blocked("it has no subscriber")),
      (0x42, .owntracks, .blocked("the broker answers 0x42, which is not a receipt")),
      (0x42, .homeAssistant, .blocked("the broker answers 0x42, which is not a receipt")),
      (0xFF, .owntracks, .blocked("the broker reports 0xff")),
      (0x87, .owntracks, .blocked("the broker does not allow it: check its access rules")),
      (
        0x87, .people,
        .refused(.init(why: "the broker does not allow it: check its access rules"))
      ),
      (0x97, .owntracks, .blocked("the broker has no room for it (quota exceeded)")),
      (0x90, .owntracks, .refused(.init(why: "the broker does not accept the topic (4 bytes)"))),
      (0x95, .collector, .refused(.init(why: "it is longer than the broker accepts (4 bytes)"))),
      (0x99, .owntracks, .refused(.init(why: "the broker does not accept the payload (4 bytes)"))),
      (
        0x80, .owntracks,
        .refused(.init(why: "the broker reports an error (4 bytes)", isLasting: false))
      ),
    ]

  @Test("an acknowledgement is a receipt only if it can be one", arguments: verdicts.indices)
  func verdict(_ index: Int) {
    let (reason, recipient, verdict) = Self.verdicts[index]
    let outgoing = OutgoingMessage(
      items: [Self.item(1, to: recipient)], recipient: recipient,
      message: BrokerMessage(topic: "t", payload: [1, 2, 3]))
    #expect(AcknowledgementMeaning(PublishReason(code: reason), of: outgoing) == verdict)
  }

  @Test("a recipient without a subscriber gets nothing more on this connection; others do")
  func blocked() {
    var session = BrokerSession(Self.plan(.owntracks, .homeAssistant))
    _ = session.step(.begin, at: Self.start)
    _ = session.step(.broker(.connected(Self.welcome)), at: Self.start)
    _ = session.step(.items(.owntracks, Self.items(1...3, to: .owntracks)), at: Self.start)
    _ = session.step(
      .items(.homeAssistant, [Self.item(9, to: .homeAssistant)]), at: Self.start)
    var blocks: [BrokerSession.Effect] = []
    for number in [1, 2, 3] as [Int64] {
      blocks += session.step(
        .broker(.acknowledged(number: number, .noSubscribers)), at: Self.start
      ).filter { if case .blocked = $0 { true } else { false } }
    }
    #expect(blocks == [.blocked(.owntracks, "it has no subscriber")])
    _ = session.step(.broker(.acknowledged(number: 9, .success)), at: Self.start)
    let left = session.step(.woke, at: Self.start + 10)
    #expect(left == [.storeResults([DeliveryResult(9, .received)]), .disconnect])
    #expect(Self.ending(session.step(.broker(.disconnected), at: Self.start + 10)) == .init())
  }

  @Test("a persistent session retries a recipient without subscriber, and repeats no accepted item")
  func blockedForATime() {
    var session = BrokerSession(Self.plan(.owntracks, stays: true))
    _ = session.step(.begin, at: Self.start)
    _ = session.step(.broker(.connected(Self.welcome)), at: Self.start)
    _ = session.step(.items(.owntracks, Self.items(1...3, to: .owntracks)), at: Self.start)
    let reasons: [(Int64, PublishReason)] = [
      (1, .success), (2, .noSubscribers), (3, .noSubscribers),
    ]
    for (number, reason) in reasons {
      _ = session.step(.broker(.acknowledged(number: number, reason)), at: Self.start)
    }
    let soon = Self.start + RecipientQueue.blockTime - 1
    #expect(session.step(.newWork, at: soon).isEmpty)
    let later = session.step(.newWork, at: Self.start + RecipientQueue.blockTime)
    #expect(
      later == [
        .storeResults([DeliveryResult(1, .received)]), .fetch(.owntracks, after: 0, atMost: 100),
      ])
    let again = session.step(
      .items(.owntracks, Self.items(2...3, to: .owntracks)),
      at: Self.start + RecipientQueue.blockTime)
    #expect(Self.numbers(again) == [2, 3])
  }

  @Test("a collector gets many records in one message, and its receipt counts")
  func collector() throws {
    var session = BrokerSession(Self.plan(.collector, receipts: "me/received"))
    _ = session.step(.begin, at: Self.start)
    #expect(
      session.step(.broker(.connected(Self.welcome)), at: Self.start).first
        == .subscribe(["me/cmd", "me/received"]))
    var items = Self.items(1...60, to: .collector)
    items[1].payload = []
    let said = session.step(.items(.collector, items), at: Self.start)
    #expect(Self.numbers(said) == [1], "how much the broker takes is found out with one")
    guard case .publish(let message, _)? = said.first else {
      Issue.record("nothing is said")
      return
    }
    #expect(
      String(decoding: message.payload, as: UTF8.self).hasPrefix(
        #"{"_type":"records","stream":"s1","records":[{"n":1},"#
          + #"{"seq":2,"layer":"visits","id":2,"dropped":true},{"n":3},"#))
    let more = session.step(.broker(.acknowledged(number: 1, .success)), at: Self.start)
    #expect(Self.numbers(more) == [51])
    _ = session.step(.broker(.acknowledged(number: 51, .success)), at: Self.start)
    #expect(session.step(.woke, at: Self.start + 5).contains(.disconnect) == false)
    let receipt = CollectorReceipt(stream: "s1", through: 60)
    let heard = session.step(
      .broker(.received(.init(topic: "me/received", payload: receipt.bytes))),
      at: Self.start + 6)
    #expect(heard == [.collected(receipt)])
    #expect(session.step(.woke, at: Self.start + 8).contains(.disconnect))
  }

  @Test("the wait for a missing receipt is limited") func noReceipt() {
    var session = BrokerSession(Self.plan(.collector, receipts: "me/received"))
    _ = session.step(.begin, at: Self.start)
    _ = session.step(.broker(.connected(Self.welcome)), at: Self.start)
    _ = session.step(.items(.collector, Self.items(1...1, to: .collector)), at: Self.start)
    _ = session.step(.broker(.acknowledged(number: 1, .success)), at: Self.start)
    let noise = BrokerEvent.Message(topic: "me/received", payload: Array("[]".utf8))
    _ = session.step(.broker(.received(noise)), at: Self.start + 1)
    #expect(session.step(.woke, at: Self.start + 9.9).contains(.disconnect) == false)
    #expect(session.step(.woke, at: Self.start + 10).contains(.disconnect))
  }

  @Test("a broker that acknowledges nothing is left, and its items stay unsettled") func silent() {
    var session = BrokerSession(Self.plan(.owntracks))
    _ = session.step(.begin, at: Self.start)
    _ = session.step(.broker(.connected(Self.welcome)), at: Self.start)
    _ = session.step(.items(.owntracks, Self.items(1...1, to: .owntracks)), at: Self.start)
    #expect(session.wake == Self.start + BrokerSessionLimits.acknowledgementTimeout)
    let effects = session.step(.woke, at: Self.start + BrokerSessionLimits.acknowledgementTimeout)
    #expect(Self.ending(effects)?.failure?.cause == .timedOut)
    #expect(effects.contains { if case .storeResults = $0 { true } else { false } } == false)
  }

  @Test("a persistent session publishes later items, too, and at the end waits for those in flight")
  func stays() {
    var session = BrokerSession(Self.plan(.owntracks, stays: true))
    _ = session.step(.begin, at: Self.start)
    _ = session.step(.broker(.connected(Self.welcome)), at: Self.start)
    _ = session.step(.items(.owntracks, []), at: Self.start)
    #expect(session.wake == nil)
    #expect(
      session.step(.newWork, at: Self.start + 100)
        == [.fetch(.owntracks, after: 0, atMost: 100)])
    let said = session.step(
      .items(.owntracks, Self.items(7...7, to: .owntracks)), at: Self.start + 100)
    #expect(Self.numbers(said) == [7])
    #expect(session.step(.end, at: Self.start + 101).isEmpty)
    let last = session.step(
      .broker(.acknowledged(number: 7, .success)), at: Self.start + 101)
    #expect(last == [.storeResults([DeliveryResult(7, .received)]), .disconnect])
    #expect(
      session.step(.broker(.disconnected), at: Self.start + 101)
        == [.ended(.init(failure: nil))])
  }

  @Test("incoming requests are passed on") func requests() {
    var session = BrokerSession(Self.plan(.owntracks))
    _ = session.step(.begin, at: Self.start)
    _ = session.step(.broker(.connected(Self.welcome)), at: Self.start)
    let message = BrokerEvent.Message(topic: "me/cmd", payload: [1], correlation: [2])
    #expect(
      session.step(.broker(.received(message)), at: Self.start).first == .received(message))
  }
}
