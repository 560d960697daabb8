import Delivery
import Core
import Ports
import Records
import TestSupport
import Testing

@testable import Store

/// Refused messages are kept within the outbox's limit, and can be queued again.
@Suite struct RefusedMessagesTests {
  private let folder: ScratchFolder
  private let outbox: OutboxFile
  private static let start = UTCInstant(seconds: 1_777_593_600)

  init() throws {
    folder = try ScratchFolder()
    outbox = try OutboxFile(path: folder.file("uplink.db"))
  }

  private static func item(
    _ record: Int64, to recipient: Recipient = .owntracks, topic: String = "a/b",
    isNewestOnly: Bool = false
  ) -> OutboxItem {
    OutboxItem(
      to: recipient, layer: "visits", record: record, topic: topic, isNewestOnly: isNewestOnly,
      payload: Array("{\"id\":\(record)}".utf8))
  }

  private static func collected(_ sequence: Int64, _ record: Int64, _ note: String) -> OutboxItem {
    let content = CollectedRecord(
      sequence: sequence, layer: "visits", record: record, .row([("note", .string(note))]))
    return OutboxItem(
      to: .collector, layer: "visits", record: record,
      sequence: StreamNumber(stream: "s1", number: sequence), topic: "r", payload: content.bytes)
  }

  private func queue(_ items: [OutboxItem], last: Int64 = 0) throws {
    let state = OutboxState(stream: RecordStream(name: "s1", last: last))
    try outbox.queue(items, state: state, at: Self.start)
  }

  private func waiting(_ recipient: Recipient) throws -> [OutboxItem] {
    try outbox.waiting(for: recipient, after: 0, atMost: 1000)
  }

  private func count(_ recipient: Recipient) throws -> [Int] {
    try outbox.summaries().filter { $0.recipient == recipient }.flatMap {
      [$0.waiting, $0.refused]
    }
  }

  @Test("a refused message waits again unchanged, once that is requested, however late")
  func again() throws {
    try queue((1...3).map { Self.item($0) })
    let before = try waiting(.owntracks)
    try outbox.confirm(
      [
        DeliveryResult(1, .refused("too long")), DeliveryResult(2, .received),
        DeliveryResult(3, .failed),
      ],
      at: Self.start)
    #expect(try outbox.prune(settledBefore: Self.start + .days(365), atMost: 100) == 0)
    #expect(try waiting(.owntracks).map(\.failures) == [1])
    #expect(try outbox.queueRefused(at: Self.start) == 1)
    #expect(try waiting(.owntracks).first == before.first)
    #expect(try outbox.queueRefused(at: Self.start) == 0)
    #expect(try count(.owntracks) == [2, 0])
  }

  @Test("a collector continues without a refused message, and gets it later as a new record")
  func collector() throws {
    try queue([Self.collected(1, 7, "long"), Self.collected(2, 8, "short")], last: 2)
    try outbox.confirm(
      [DeliveryResult(1, .refused("too long")), DeliveryResult(2, .handedOver)], at: Self.start)
    let gap = try #require(try waiting(.collector).first)
    #expect(gap.payload.isEmpty && gap.sequence == StreamNumber(stream: "s1", number: 1))
    #expect(try count(.collector) == [2, 1])
    // The collector learns that this number stays empty, and acknowledges all of it.
    try outbox.confirm([DeliveryResult(gap.number, .handedOver)], at: Self.start)
    let receipt = CollectorReceipt(stream: "s1", through: 2)
    #expect(try outbox.collected(receipt, at: Self.start) == 2)
    #expect(try count(.collector) == [0, 1])
    #expect(try outbox.queueRefused(at: Self.start) == 1)
    let again = try waiting(.collector)
    #expect(again.map(\.sequence) == [StreamNumber(stream: "s1", number: 3)])
    #expect(again.map(\.payload) == [Self.collected(3, 7, "long").payload])
    #expect(try outbox.state()?.stream.last == 3)
  }

  @Test("a number is assigned once, even when a run writes an older state") func numbers() throws {
    try queue([Self.collected(1, 7, "long")], last: 1)
    try outbox.confirm([DeliveryResult(1, .refused("too long"))], at: Self.start)
    // A run has read the state; only then does the command assign a number.
    let known = try #require(try outbox.state())
    #expect(try outbox.queueRefused(at: Self.start) == 1)
    try outbox.queue([], state: known, at: Self.start)
    var stream = try #require(try outbox.state()).stream
    let next = stream.next()
    #expect(next == StreamNumber(stream: "s1", number: 3))
    try queue([Self.collected(next.number, 9, "new")], last: next.number)
    #expect(try waiting(.collector).map(\.sequence?.number) == [2, 1, 3])
    // Another stream starts from 1.
    try outbox.queue(
      [], state: OutboxState(stream: RecordStream(name: "s2", last: 0)), at: Self.start)
    #expect(try outbox.state()?.stream == RecordStream(name: "s2", last: 0))
  }

  @Test("a record that has changed since is not sent in its old state") func outdated() throws {
    try queue([Self.collected(1, 7, "old")], last: 1)
    try outbox.confirm([DeliveryResult(1, .refused("too long"))], at: Self.start)
    try queue([Self.collected(2, 7, "new")], last: 2)
    #expect(try outbox.queueRefused(at: Self.start) == 0)
    #expect(try waiting(.collector).map(\.payload.isEmpty) == [true, false])
    try queue([Self.item(1, to: .homeAssistant, topic: "state", isNewestOnly: true)], last: 2)
    let first = try #require(try waiting(.homeAssistant).first)
    try outbox.confirm([DeliveryResult(first.number, .refused("too long"))], at: Self.start)
    try queue([Self.item(2, to: .homeAssistant, topic: "state", isNewestOnly: true)], last: 2)
    #expect(try count(.homeAssistant) == [1, 0])
  }

  @Test("refused messages are dropped first when there is no room for all") func bound() throws {
    try queue((1...10).map { Self.item($0) })
    try outbox.confirm((6...10).map { DeliveryResult($0, .refused("too long")) }, at: Self.start)
    #expect(try outbox.prune(settledBefore: Self.start, atMost: 7) == 3)
    #expect(try count(.owntracks) == [5, 2])
    #expect(try outbox.prune(settledBefore: Self.start, atMost: 4) == 3)
    #expect(try count(.owntracks) == [4, 0])
  }

  @Test("a refused gap notice waits again, and is not set aside") func gap() throws {
    try queue([Self.collected(1, 7, "long")], last: 1)
    try outbox.confirm([DeliveryResult(1, .refused("too long"))], at: Self.start)
    let gap = try #require(try waiting(.collector).first)
    try outbox.confirm([DeliveryResult(gap.number, .refused("too long"))], at: Self.start)
    #expect(try waiting(.collector) == [gap])
  }
}
