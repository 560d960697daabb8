import Core
import Testing

@testable import Delivery

/// Answers to requests, beside the items waiting in the outbox.
@Suite struct BrokerSessionAnswerTests {
  private static func begun(
    stays: Bool = false, followed: Set<Recipient> = []
  ) throws -> BrokerSession {
    let broker = try BrokerAddress(parsing: "mqtt://broker")
    var session = BrokerSession(
      BrokerPlan(
        brokers: [broker], recipients: [.owntracks], requestTopics: ["godwit/a/b/request"],
        stays: stays, followed: followed))
    _ = session.step(.begin, at: .boot(0))
    _ = session.step(
      .broker(.connected(.init(version: .five, hasSession: true, receiveMaximum: 20))),
      at: .boot(1))
    _ = session.step(.items(.owntracks, []), at: .boot(1))
    return session
  }

  private static let answer = BrokerMessage(topic: "godwit/a/b/answer", payload: [1])

  @Test("an answer goes out at once, and the connection lasts until it is acknowledged")
  func plain() throws {
    var session = try Self.begun()
    #expect(
      session.step(.answer(Self.answer), at: .boot(2)) == [.publish(Self.answer, number: -1)])
    #expect(session.step(.woke, at: .boot(10)) == [])
    _ = session.step(.broker(.acknowledged(number: -1, .success)), at: .boot(11))
    #expect(session.step(.woke, at: .boot(14)) == [.disconnect])
  }

  @Test("an answer that the broker rejects is reported, and does not count as given")
  func refused() throws {
    var session = try Self.begun()
    _ = session.step(.answer(Self.answer), at: .boot(2))
    let effects = session.step(
      .broker(.acknowledged(number: -1, .notAuthorized)), at: .boot(3))
    #expect(effects == [.answered(Self.answer, .notAuthorized)])
  }

  @Test("a followed recipient gets a report when nothing more goes, and after each new attempt")
  func followed() throws {
    var session = try Self.begun(stays: true, followed: [.owntracks])
    let item = OutboxItem(
      number: 1, to: .owntracks, layer: "a", record: 1, topic: "t", payload: [1])
    #expect(
      session.step(.newWork, at: .boot(2)).last == .fetch(.owntracks, after: 0, atMost: 100))
    _ = session.step(.items(.owntracks, [item]), at: .boot(2))
    let stopped = session.step(
      .broker(.acknowledged(number: 1, .noSubscribers)), at: .boot(3))
    #expect(
      stopped == [
        .blocked(.owntracks, PublishReason.noSubscribers.text),
        .finished(.owntracks, gotSome: true),
      ])
    #expect(session.step(.newWork, at: .boot(4)) == [.finished(.owntracks, gotSome: false)])
    // Five minutes later it is tried again.
    _ = session.step(.newWork, at: .boot(400))
    _ = session.step(.items(.owntracks, [item]), at: .boot(400))
    let again = session.step(.broker(.acknowledged(number: 1, .success)), at: .boot(401))
    #expect(again.last == .finished(.owntracks, gotSome: true))
  }

  @Test("while an answer is being prepared the connection stays open") func working() throws {
    var session = try Self.begun()
    _ = session.step(.working(until: .boot(120)), at: .boot(2))
    #expect(session.step(.woke, at: .boot(60)) == [])
    #expect(session.wake == .boot(120))
    _ = session.step(.answer(Self.answer), at: .boot(70))
    // The time for messages has ended before; the port leaves after what is in flight.
    #expect(session.step(.working(until: nil), at: .boot(70)) == [.disconnect])
  }

  @Test("a broker that acknowledges no answer counts as failed") func silent() throws {
    var session = try Self.begun(stays: true)
    _ = session.step(.answer(Self.answer), at: .boot(2))
    let effects = session.step(.woke, at: .boot(40))
    guard case .ended(let ending) = effects.last else {
      Issue.record("\(effects)")
      return
    }
    #expect(ending.failure?.cause == .timedOut)
  }

  @Test("endless requests do not keep the board awake") func flood() throws {
    var session = try Self.begun()
    var ended: Double?
    for second in 2...200 where ended == nil {
      let now = BootInstant.boot(Double(second))
      let junk = BrokerEvent.Message(topic: "godwit/a/b/request", payload: [0])
      var effects = session.step(.broker(.received(junk)), at: now)
      effects += session.step(.answer(Self.answer), at: now)
      for case .publish(_, let number) in effects {
        effects += session.step(.broker(.acknowledged(number: number, .success)), at: now)
      }
      if effects.contains(.disconnect) { ended = Double(second) }
    }
    #expect(ended.map { $0 < 70 } == true, "\(String(describing: ended))")
  }
}
