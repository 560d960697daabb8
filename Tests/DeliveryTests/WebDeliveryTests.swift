import Formats
import Core
import TestSupport
import Testing

@testable import Delivery

/// Uploads to web receivers, with a receiver simulated by the test.
@Suite struct WebDeliveryTests {
  private static let topics = UplinkTopics(user: "ann", device: "bike")

  static func plan(_ recipient: Recipient) throws -> WebPlan {
    WebPlan(
      WebSettings(recipient),
      at: try WebAddress(parsing: "http://localhost/\(recipient.rawValue)"), nil, topics)
  }

  static func item(_ number: Int64, to recipient: Recipient = .osmand) -> OutboxItem {
    OutboxItem(
      number: number, to: recipient, layer: "track_points", record: number,
      payload: Array("\(number)".utf8))
  }

  static func answer(_ status: Int, _ body: String = "") -> Result<UploadAnswer, UploadFailure> {
    .success(UploadAnswer(status: status, body: Array(body.utf8)))
  }

  private func upload(
    _ recipient: Recipient, _ numbers: Int64...
  ) throws -> WebDelivery.Effect {
    .upload(
      recipient,
      try Self.plan(recipient).request(for: numbers.map { Self.item($0, to: recipient) }))
  }

  @Test("items are uploaded one at a time, each settled before the next") func plain() throws {
    var delivery = WebDelivery([try Self.plan(.osmand)])
    #expect(delivery.step(.begin) == [.fetch(.osmand, after: 0, atMost: WebQueue.portion)])
    #expect(
      try delivery.step(.items(.osmand, [Self.item(3), Self.item(8)])) == [upload(.osmand, 3)])
    #expect(
      try delivery.step(.answered(.osmand, Self.answer(200)))
        == [
          .endBackOff(.osmand), .storeResults(.osmand, [DeliveryResult(3, .received)]),
          upload(.osmand, 8),
        ])
    #expect(
      delivery.step(.answered(.osmand, Self.answer(200)))
        == [.endBackOff(.osmand), .storeResults(.osmand, [DeliveryResult(8, .received)]), .ended])
    #expect(delivery.step(.answered(.osmand, Self.answer(200))) == [], "it is over")
  }

  @Test("with nothing waiting it ends at once") func nothing() throws {
    var delivery = WebDelivery([try Self.plan(.osmand), try Self.plan(.overland)])
    _ = delivery.step(.begin)
    #expect(delivery.step(.items(.osmand, [])) == [])
    #expect(delivery.step(.items(.overland, [])) == [.ended])
  }

  @Test("a receiver that does not answer delays no other") func apart() throws {
    var delivery = WebDelivery([try Self.plan(.osmand), try Self.plan(.owntracksHTTP)])
    _ = delivery.step(.begin)
    _ = delivery.step(.items(.osmand, [Self.item(1)]))
    _ = delivery.step(.items(.owntracksHTTP, [Self.item(2, to: .owntracksHTTP)]))
    #expect(
      delivery.step(.answered(.owntracksHTTP, Self.answer(200, "[]")))
        == [
          .endBackOff(.owntracksHTTP),
          .storeResults(.owntracksHTTP, [DeliveryResult(2, .received)]),
        ])
    #expect(delivery.step(.end) == [.cancel(.osmand), .ended])
  }

  @Test("commands in the answer of OwnTracks' server are read after the receipt, others' are not")
  func heard() throws {
    let answers = [
      (Recipient.owntracksHTTP, #"[{"_type":"card"}]"#, true),
      (.osmand, "Setting location for bike", false),
    ]
    for (recipient, said, hears) in answers {
      var delivery = WebDelivery([try Self.plan(recipient)])
      _ = delivery.step(.begin)
      _ = delivery.step(.items(recipient, [Self.item(1, to: recipient)]))
      let effects = delivery.step(.answered(recipient, Self.answer(200, said)))
      #expect(effects.contains(.receivedMessages(recipient, Array(said.utf8))) == hears)
      #expect(effects.contains(.storeResults(recipient, [DeliveryResult(1, .received)])))
    }
  }

  @Test("a captive portal's page is not a receipt: everything waits") func portal() throws {
    var delivery = WebDelivery([try Self.plan(.owntracksHTTP)])
    _ = delivery.step(.begin)
    _ = delivery.step(.items(.owntracksHTTP, [Self.item(1, to: .owntracksHTTP)]))
    let effects = delivery.step(.answered(.owntracksHTTP, Self.answer(200, "<html>Sign in")))
    guard case .backOff(.owntracksHTTP, let why, nil) = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(why.contains("sign-in"))
    #expect(effects.last == .ended)
  }

  @Test("if the receiver fails at one message, that one waits and the others go")
  func poison() throws {
    var delivery = WebDelivery([try Self.plan(.osmand)])
    _ = delivery.step(.begin)
    _ = delivery.step(.items(.osmand, (1...4).map { Self.item($0) }))
    let skipped = delivery.step(.answered(.osmand, Self.answer(500)))
    #expect(try skipped.last == upload(.osmand, 2))
    #expect(
      try delivery.step(.answered(.osmand, Self.answer(200)))
        == [
          .endBackOff(.osmand),
          .storeResults(.osmand, [DeliveryResult(1, .failed), DeliveryResult(2, .received)]),
          upload(.osmand, 3),
        ])
    // One more alone, and then two in a row: the receiver is at fault and is left alone.
    #expect(try delivery.step(.answered(.osmand, Self.answer(500))).last == upload(.osmand, 4))
    let effects = delivery.step(.answered(.osmand, Self.answer(500)))
    guard case .backOff(.osmand, _, nil) = effects.first else {
      Issue.record("\(effects)")
      return
    }
  }

  /// A success that is not a receipt: over http, or in another receiver's words.
  private static let doubt = Self.answer(200, #"{"result":"bad point"}"#)

  @Test("an answer that is not a receipt holds up only one message") func doubted() throws {
    var delivery = WebDelivery([try Self.plan(.overland)], failures: [.overland: 4])
    let ok = Self.answer(200, #"{"result":"ok"}"#)
    _ = delivery.step(.begin)
    _ = delivery.step(.items(.overland, (1...2).map { Self.item($0, to: .overland) }))
    #expect(
      try delivery.step(.answered(.overland, Self.doubt)).last == upload(.overland, 2))
    #expect(
      delivery.step(.answered(.overland, ok)).contains(
        .storeResults(.overland, [DeliveryResult(1, .failed), DeliveryResult(2, .received)])))
  }

  @Test("it counts against a message only if another has arrived", arguments: [true, false])
  func doubtedAgain(hasOther: Bool) throws {
    var suspect = Self.item(1, to: .overland)
    suspect.failures = WebQueue.mostFailures - 1
    var delivery = WebDelivery([try Self.plan(.overland)])
    _ = delivery.step(.begin)
    _ = delivery.step(.items(.overland, [suspect] + (hasOther ? [Self.item(2)] : [])))
    if hasOther { _ = delivery.step(.answered(.overland, Self.answer(200, #"{"result":"ok"}"#))) }
    let effects = delivery.step(.answered(.overland, Self.doubt))
    let isSettled = effects.contains { if case .storeResults = $0 { true } else { false } }
    let isHeld = effects.contains { if case .backOff = $0 { true } else { false } }
    #expect(isSettled == hasOther && isHeld != hasOther, "\(effects)")
  }

  @Test("a message refused for its content is given up when another is accepted")
  func refused() throws {
    var delivery = WebDelivery([try Self.plan(.owntracksHTTP)])
    _ = delivery.step(.begin)
    _ = delivery.step(
      .items(.owntracksHTTP, (1...3).map { Self.item($0, to: .owntracksHTTP) }))
    #expect(
      try delivery.step(.answered(.owntracksHTTP, Self.answer(422))) == [upload(.owntracksHTTP, 2)])
    let effects = delivery.step(.answered(.owntracksHTTP, Self.answer(200, "[]")))
    guard case .storeResults(.owntracksHTTP, let settled) = effects.dropFirst().first,
      case .refused = settled.first?.outcome
    else {
      Issue.record("\(effects)")
      return
    }
    #expect(settled.map(\.number) == [1, 2] && settled.last?.outcome == .received)
  }

  @Test("a receiver that refuses everything is the wrong one: nothing is given up")
  func foreign() throws {
    var delivery = WebDelivery([try Self.plan(.owntracksHTTP)])
    _ = delivery.step(.begin)
    var effects = delivery.step(
      .items(.owntracksHTTP, (1...9).map { Self.item($0, to: .owntracksHTTP) }))
    for _ in 0..<9 where effects.last != .ended {
      effects = delivery.step(.answered(.owntracksHTTP, Self.answer(400)))
      for case .storeResults(_, let settled) in effects { Issue.record("\(settled)") }
    }
    guard case .backOff(.owntracksHTTP, _, nil) = effects.first else {
      Issue.record("\(effects)")
      return
    }
  }

  private func size(_ effects: [WebDelivery.Effect]) -> Int? {
    guard case .upload(_, let request) = effects.last else { return nil }
    let body = try? JSONValue(parsing: request.body)
    guard case .array(let list) = body?["locations"] else { return nil }
    return list.count
  }

  @Test("Overland's batches are halved when too long, and a refused item is found")
  func batches() throws {
    let ok = Self.answer(201, #"{"result":"ok"}"#)
    let items = (1...200).map { Self.item(Int64($0), to: .overland) }
    var delivery = WebDelivery([try Self.plan(.overland)])
    _ = delivery.step(.begin)
    #expect(size(delivery.step(.items(.overland, items))) == 200)
    #expect(size(delivery.step(.answered(.overland, Self.answer(413)))) == 100)
    #expect(size(delivery.step(.answered(.overland, ok))) == 100)
    #expect(size(delivery.step(.answered(.overland, Self.answer(422)))) == 1)
    #expect(size(delivery.step(.answered(.overland, Self.answer(422)))) == 1)
    let effects = delivery.step(.answered(.overland, ok))
    guard case .storeResults(.overland, let settled) = effects.dropFirst().first else {
      Issue.record("\(effects)")
      return
    }
    #expect(settled.map(\.number) == [101, 102])
    #expect(size(effects) == 4)
  }

  @Test(
    "after failures a batch starts small", arguments: zip(0...5, [200, 50, 12, 3, 1, 1]))
  func careful(failures: Int, first: Int) throws {
    let items = (1...200).map { Self.item(Int64($0), to: .overland) }
    var delivery = WebDelivery([try Self.plan(.overland)], failures: [.overland: failures])
    _ = delivery.step(.begin)
    #expect(size(delivery.step(.items(.overland, items))) == first)
  }

  /// A receiver that always fails at some messages, and occasionally at any.
  @Test(
    "whatever fails, all other messages arrive, with the same bytes",
    arguments: 1...40 as ClosedRange<UInt64>, [Recipient.osmand, .overland, .owntracksHTTP])
  func broken(seed: UInt64, recipient: Recipient) throws {
    var random = SplitMix(seed: seed)
    var waiting = (1...300).map { Self.item(Int64($0), to: recipient) }
    let poison = Set((0..<3).map { _ in Int64(random.next() % 300) + 1 })
    var arrived: [Int64: [UInt8]] = [:]
    var failures = 0
    var refusals = 0
    for _ in 0..<100 where waiting.contains(where: { !poison.contains($0.number) }) {
      var delivery = WebDelivery([try Self.plan(recipient)], failures: [recipient: failures])
      var events: [WebDelivery.Event] = [.begin]
      var isOver = false
      while !isOver, !events.isEmpty {
        for effect in delivery.step(events.removeFirst()) {
          switch effect {
          case .fetch(_, let after, let most):
            events.append(
              .items(recipient, Array(waiting.filter { $0.number > after }.prefix(most))))
          case .upload(_, let request):
            let numbers = Self.numbers(in: request)
            if random.next() % 40 == 0 {
              events.append(.answered(recipient, Self.answer(503)))
            } else if numbers.contains(where: poison.contains) {
              events.append(.answered(recipient, Self.answer(500)))
            } else {
              for number in numbers { arrived[number] = Array("\(number)".utf8) }
              events.append(.answered(recipient, Self.success(recipient)))
            }
          case .storeResults(_, let settled):
            let gone = Set(settled.filter { $0.outcome != .failed }.map(\.number))
            waiting.removeAll { gone.contains($0.number) }
            let failed = Set(settled.filter { $0.outcome == .failed }.map(\.number))
            for index in waiting.indices where failed.contains(waiting[index].number) {
              waiting[index].failures += 1
            }
            for case .refused in settled.map(\.outcome) { refusals += 1 }
          case .backOff: failures += 1
          case .endBackOff: failures = 0
          case .ended: isOver = true
          case .cancel, .skipped, .receivedMessages: break
          }
        }
      }
      #expect(isOver, "the visit has no end")
    }
    // Abandoned messages are still stored and shown.
    #expect(Set(waiting.map(\.number)).isSubset(of: poison))
    #expect(waiting.count + refusals == poison.count)
    #expect(Set(arrived.keys) == Set(1...300).subtracting(poison))
  }

  private static func success(_ recipient: Recipient) -> Result<UploadAnswer, UploadFailure> {
    switch recipient {
    case .overland: answer(200, #"{"result":"ok"}"#)
    case .owntracksHTTP: answer(200, "[]")
    default: answer(200)
    }
  }

  private static func numbers(in request: UploadRequest) -> [Int64] {
    String(decoding: request.body, as: UTF8.self)
      .split { !$0.isNumber }.compactMap { Int64($0) }
  }
}
