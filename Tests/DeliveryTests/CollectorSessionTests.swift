import Core
import TestSupport
import Testing

@testable import Delivery

/// A collector connected to its broker, step by step.
@Suite struct CollectorSessionTests {
  private static let start = BootInstant.boot(100)
  private static let welcome = BrokerEvent.connected(
    .init(version: .five, hasSession: true, receiveMaximum: 20))

  private static func brokers() throws -> [BrokerAddress] {
    try ["mqtt://one", "mqtt://two"].map { try BrokerAddress(parsing: $0) }
  }

  private static func message(
    _ text: String, topic: String = "godwit/ann/bike/records"
  ) -> CollectorSession.Event {
    .broker(.received(.init(topic: topic, payload: Array(text.utf8))))
  }

  private static func talking() throws -> CollectorSession {
    var session = CollectorSession(try brokers())
    _ = session.step(.begin, at: start)
    _ = session.step(.broker(welcome), at: start)
    return session
  }

  @Test("it subscribes, accepts batches, and publishes retained receipts")
  func takes() throws {
    var session = CollectorSession(try Self.brokers())
    #expect(try session.step(.begin, at: Self.start) == [.connect(Self.brokers()[0])])
    #expect(
      session.step(.broker(Self.welcome), at: Self.start) == [
        .subscribe(["godwit/+/+/records"]), .report("connected to mqtt://one:1883"),
      ])
    let record = CollectedRecord(sequence: 1, layer: "visits", record: 3, .withdrawn)
    let batch = CollectedBatch.message(stream: "s1", [record.bytes])
    let event = BrokerEvent.received(.init(topic: "godwit/ann/bike/records", payload: batch))
    #expect(
      session.step(.broker(event), at: Self.start) == [
        .store(CollectedBatch(stream: "s1", [record]), device: "ann/bike")
      ])
    let receipt = CollectorReceipt(stream: "s1", through: 1)
    let said = BrokerMessage(
      topic: "godwit/ann/bike/received", payload: receipt.bytes, isRetained: true)
    #expect(
      session.step(.stored(device: "ann/bike", receipt), at: Self.start)
        == [.publish(said, number: 1)])
  }

  @Test(
    "invalid and foreign batches are left out",
    arguments: [
      ("godwit/ann/bike/records", "{}"), ("godwit/ann/bike/records", ""),
      ("godwit/ann/bike/other", "{}"), ("other/ann/bike/records", "{}"),
      ("godwit/ann/bike/x/records", "{}"), ("godwit//records", "{}"),
    ])
  func noise(topic: String, text: String) throws {
    var session = try Self.talking()
    let effects = session.step(Self.message(text, topic: topic), at: Self.start)
    #expect(
      effects.allSatisfy { if case .report = $0 { true } else { false } }, "\(effects)")
  }

  @Test("a lost connection is retried ever later, and at all brokers")
  func again() throws {
    var session = try Self.talking()
    let failure = BrokerEvent.failed(BrokerFailure(.closed, at: try Self.brokers()[0]))
    var now = Self.start
    var pauses: [Seconds] = []
    for _ in 0..<9 {
      _ = session.step(.broker(failure), at: now)
      let wake = try #require(session.wake)
      pauses.append(wake - now)
      #expect(session.step(.woke, at: now).isEmpty, "too soon")
      now = wake
      #expect(try session.step(.woke, at: now) == [.connect(Self.brokers()[0])])
      #expect(session.wake == nil)
      #expect(try session.step(.broker(failure), at: now) == [.connect(Self.brokers()[1])])
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    _ = session.step(.broker(Self.welcome), at: now)
    _ = session.step(.broker(failure), at: now)
    #expect(session.wake == now + 1, "a connection that came about begins anew")
  }

  @Test("on request it ends with a disconnect message") func end() throws {
    var session = try Self.talking()
    #expect(session.step(.end, at: Self.start) == [.disconnect])
    #expect(session.step(.broker(.disconnected), at: Self.start) == [.ended])
    #expect(session.step(.begin, at: Self.start).isEmpty)
    var waiting = CollectorSession(try Self.brokers())
    _ = waiting.step(.begin, at: Self.start)
    #expect(waiting.step(.end, at: Self.start) == [.ended])
  }
}
