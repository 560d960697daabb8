import Core
import TestSupport
import Testing

@testable import Delivery

/// Other clients publish without end on topics to which the board subscribes.
@Suite struct BrokerFloodTests {
  private static let start = BootInstant.boot(1000)

  private static func session(stays: Bool = false) throws -> BrokerSession {
    let plan = BrokerPlan(
      brokers: [try BrokerAddress(parsing: "mqtt://broker")], recipients: [.owntracks],
      requestTopics: ["me/request"], receiptTopic: "me/received", stays: stays)
    return BrokerSession(plan)
  }

  private static let welcome = BrokerSession.Event.broker(
    .connected(.init(version: .five, hasSession: true, receiveMaximum: 20)))

  private static func item(_ number: Int64) -> OutboxItem {
    OutboxItem(
      number: number, to: .owntracks, layer: "visits", record: number, topic: "t", payload: [1])
  }

  private static func message(bytes: Int, _ topic: String = "me/request") -> BrokerSession.Event {
    .broker(.received(.init(topic: topic, payload: [UInt8](repeating: 0x20, count: bytes))))
  }

  /// - Returns: the effects when the limit is reached, and how many messages were accepted before.
  private static func flood(
    _ session: inout BrokerSession, bytes: Int, _ topic: String = "me/request", at now: BootInstant
  ) -> (effects: [BrokerSession.Effect], heard: Int) {
    for heard in 0..<1_000_000 {
      let effects = session.step(message(bytes: bytes, topic), at: now)
      let isOver = effects.contains {
        switch $0 {
        case .flooded, .ended: true
        default: false
        }
      }
      if isOver { return (effects, heard) }
    }
    return ([], .max)
  }

  private static let sizes = [10, 4000, 200_000]

  @Test("a flood is cut off, and waiting messages go out without it", arguments: sizes)
  func cutOff(bytes: Int) throws {
    var session = try Self.session()
    _ = session.step(.begin, at: Self.start)
    _ = session.step(Self.welcome, at: Self.start)
    let said = session.step(.items(.owntracks, [Self.item(1), Self.item(2)]), at: Self.start)
    #expect(said.count == 2)
    _ = session.step(.broker(.acknowledged(number: 1, .success)), at: Self.start)
    let (effects, heard) = Self.flood(&session, bytes: bytes, at: Self.start + 0.1)
    #expect(heard <= 20_000 && heard * bytes <= 1 << 24)
    let address = try BrokerAddress(parsing: "mqtt://broker")
    #expect(
      effects == [
        .storeResults([DeliveryResult(1, .received)]), .flooded("me/request"),
        .connectAnew(address),
      ])
    let again = session.step(Self.welcome, at: Self.start + 2)
    #expect(
      again == [.subscribe(["me/received"]), .fetch(.owntracks, after: 0, atMost: 100)])
    #expect(session.step(Self.message(bytes: 10), at: Self.start + 2).isEmpty)
    _ = session.step(.items(.owntracks, [Self.item(2)]), at: Self.start + 2)
    let last = session.step(.broker(.acknowledged(number: 2, .success)), at: Self.start + 3)
    #expect(last == [.storeResults([DeliveryResult(2, .received)]), .disconnect])
  }

  @Test("a flood on the receipt topic as well ends the connection") func receipts() throws {
    var session = try Self.session()
    _ = session.step(.begin, at: Self.start)
    _ = session.step(Self.welcome, at: Self.start)
    _ = Self.flood(&session, bytes: 4000, "me/received", at: Self.start)
    _ = session.step(Self.welcome, at: Self.start)
    let (effects, _) = Self.flood(&session, bytes: 4000, "me/received", at: Self.start)
    let failures = effects.compactMap {
      if case .ended(let ending) = $0 { ending.failure } else { nil }
    }
    #expect(failures.map(\.cause) == [.flooded])
  }

  @Test("on a slow line a flood that delays acknowledgements is cut off")
  func slow() throws {
    var session = try Self.session()
    _ = session.step(.begin, at: Self.start)
    _ = session.step(Self.welcome, at: Self.start)
    _ = session.step(.items(.owntracks, [Self.item(1)]), at: Self.start)
    for second in 1..<30 {
      _ = session.step(Self.message(bytes: 50_000), at: Self.start + Seconds(Double(second)))
    }
    let effects = session.step(.woke, at: Self.start + BrokerSessionLimits.acknowledgementTimeout)
    #expect(effects.contains(.flooded("me/request")))
  }

  @Test("endless requests do not keep the board connected") func questions() throws {
    var session = try Self.session()
    _ = session.step(.begin, at: Self.start)
    _ = session.step(Self.welcome, at: Self.start)
    _ = session.step(.items(.owntracks, []), at: Self.start)
    var now = Self.start
    var hasLeft = false
    var number: Int64 = 0
    for _ in 0..<200 where !hasLeft {
      now = now + 1
      // There is always one answer that the broker has not acknowledged.
      let answer = BrokerMessage(topic: "me/answer", payload: [1])
      let effects =
        session.step(Self.message(bytes: 10), at: now) + session.step(.answer(answer), at: now)
        + session.step(.broker(.acknowledged(number: number, .success)), at: now)
      number -= 1
      hasLeft = effects.contains(.disconnect)
    }
    #expect(hasLeft)
    #expect(now - Self.start <= BrokerSessionLimits.maxRequestWait + 2)
  }

  @Test("no connection lasts for ever, however slow its progress") func longest() throws {
    var session = try Self.session()
    _ = session.step(.begin, at: Self.start)
    _ = session.step(Self.welcome, at: Self.start)
    let items = (1...Int64(99)).map(Self.item) + [Self.item(100)]
    _ = session.step(.items(.owntracks, items), at: Self.start)
    var now = Self.start
    var number: Int64 = 0
    var hasLeft = false
    while !hasLeft, number < 100 {
      now = now + 29
      number += 1
      hasLeft = session.step(.broker(.acknowledged(number: number, .success)), at: now)
        .contains { if case .ended = $0 { true } else { $0 == .disconnect } }
    }
    #expect(hasLeft && now - Self.start <= BrokerSessionLimits.maxDuration + 60)
  }

  @Test("a persistent session listens again after a time, and is flooded no more often than that")
  func stays() throws {
    var session = try Self.session(stays: true)
    _ = session.step(.begin, at: Self.start)
    _ = session.step(Self.welcome, at: Self.start)
    _ = session.step(.items(.owntracks, []), at: Self.start)
    _ = Self.flood(&session, bytes: 4000, at: Self.start)
    #expect(!session.acceptsMessages)
    _ = session.step(Self.welcome, at: Self.start)
    _ = session.step(.items(.owntracks, []), at: Self.start)
    #expect(session.wake == Self.start + BrokerSessionLimits.resubscribeDelay)
    let effects = session.step(.woke, at: Self.start + BrokerSessionLimits.resubscribeDelay)
    #expect(effects == [.subscribe(["me/request"]), .listenAgain])
    #expect(session.acceptsMessages && session.wake == nil)
  }
}
