import Delivery
import Ports
import Core
import Testing

@testable import Uplink

/// A collector whose broker accepts little at once.
@Suite struct CollectorRunTests {
  /// Delivers its scripted events one after the other, and has room for one outgoing message.
  private final class NarrowBroker: BrokerPort {
    let name = "a broker"
    let traffic = Traffic.zero
    let interest: Interest? = nil
    private var script: [BrokerEvent]
    private(set) var published: [BrokerMessage] = []
    private(set) var hasRoom = true
    private(set) var overruns = 0
    private var unacknowledged: Int64?

    init(_ script: [BrokerEvent]) { self.script = script }

    var due: BootInstant? { .boot(0) }

    func connect(to broker: BrokerAddress, as login: BrokerLogin) {}
    func subscribe(to topics: [String]) {}
    func disconnect() {}

    func publish(_ message: BrokerMessage, number: Int64) -> PublishReason? {
      if !hasRoom { overruns += 1 }
      published.append(message)
      hasRoom = false
      unacknowledged = number
      return nil
    }

    func poll() -> BrokerEvent? {
      guard script.isEmpty else { return script.removeFirst() }
      guard let number = unacknowledged else {
        return published.count == CollectorRunTests.streams ? .disconnected : nil
      }
      unacknowledged = nil
      hasRoom = true
      return .acknowledged(number: number, .success)
    }
  }

  private final class Taken: CollectionPort {
    let name = "a collection"
    func store(_ batch: CollectedBatch, of device: String) -> CollectorReceipt {
      CollectorReceipt(stream: batch.stream, through: batch.records.last?.sequence ?? 0)
    }
    func receipts() -> [(device: String, receipt: CollectorReceipt)] { [] }
  }

  private static let streams = 5

  private static func batch(_ stream: String, _ number: Int64) -> BrokerEvent {
    let record = CollectedRecord(sequence: number, layer: "visits", record: 1, .withdrawn)
    return .received(
      .init(
        topic: "godwit/ann/bike/records",
        payload: CollectedBatch.message(stream: stream, [record.bytes])))
  }

  @Test("receipts wait for room, and only the newest of each stream is sent") func receipts()
    throws
  {
    let welcome = BrokerEvent.connected(
      .init(version: .five, hasSession: true, receiveMaximum: 20))
    let batches = (0..<Self.streams).flatMap { stream in
      [Self.batch("s\(stream)", 1), Self.batch("s\(stream)", 2)]
    }
    let broker = NarrowBroker([welcome] + batches)
    try CollectorRun(
      into: Taken(), broker, at: [try BrokerAddress(parsing: "mqtt://broker")],
      as: BrokerLogin(clientID: "home")
    ) { _ in }.run()
    #expect(broker.overruns == 0)
    let receipts = broker.published.compactMap { CollectorReceipt(parsing: $0.payload) }
    #expect(receipts.map(\.stream).sorted() == (0..<Self.streams).map { "s\($0)" })
    #expect(receipts.allSatisfy { $0.through == 2 })
  }

  /// Sends without end.
  private final class EndlessBroker: BrokerPort {
    let name = "a broker"
    let traffic = Traffic.zero
    let interest: Interest? = nil
    let hasRoom = true
    private(set) var receipts = 0
    private(set) var events = 0
    private var hasWelcomed = false

    var due: BootInstant? { .boot(0) }

    func connect(to broker: BrokerAddress, as login: BrokerLogin) {}
    func subscribe(to topics: [String]) {}
    func disconnect() {}

    func publish(_ message: BrokerMessage, number: Int64) -> PublishReason? {
      receipts += 1
      return nil
    }

    func poll() -> BrokerEvent? {
      guard hasWelcomed else {
        hasWelcomed = true
        return .connected(.init(version: .five, hasSession: true, receiveMaximum: 20))
      }
      events += 1
      // Stops after enough events, with receipts or without any.
      return receipts == 3 || events == 100_000
        ? .disconnected : CollectorRunTests.batch("s", Int64(events))
    }
  }

  @Test("a broker that sends without end is answered in between") func endless() throws {
    let broker = EndlessBroker()
    try CollectorRun(
      into: Taken(), broker, at: [try BrokerAddress(parsing: "mqtt://broker")],
      as: BrokerLogin(clientID: "home")
    ) { _ in }.run()
    #expect(broker.receipts == 3)
    #expect(broker.events < 2000)
  }
}
