import Delivery
import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Store

@Suite struct OutboxFileTests {
  private let folder: ScratchFolder
  private let outbox: OutboxFile
  private static let start = UTCInstant(seconds: 1_777_593_600)
  private static let stream = RecordStream(name: "s1", last: 1000)

  init() throws {
    folder = try ScratchFolder()
    outbox = try OutboxFile(path: folder.file("uplink.db"))
  }

  private static func item(
    _ record: Int64, to recipient: Recipient = .owntracks, rank: OutboxItem.Rank = .usual,
    sequence: Int64? = nil, topic: String = "a/b", isNewestOnly: Bool = false
  ) -> OutboxItem {
    OutboxItem(
      to: recipient, layer: "visits", record: record, rank: rank,
      sequence: sequence.map { StreamNumber(stream: "s1", number: $0) }, topic: topic,
      isNewestOnly: isNewestOnly, payload: Array("{\"id\":\(record)}".utf8))
  }

  private func queue(_ items: OutboxItem..., after: Seconds = 0) throws {
    try outbox.queue(items, state: OutboxState(stream: Self.stream), at: Self.start + after)
  }

  private func waiting(_ recipient: Recipient = .owntracks, after: Int64 = 0) throws -> [Int64] {
    try outbox.waiting(for: recipient, after: after, atMost: 100).map(\.record)
  }

  @Test("queued messages are stored unchanged, in order, for their recipient") func order() throws {
    try queue(
      Self.item(7, rank: .important), Self.item(1, to: .collector, sequence: 1), Self.item(3))
    let items = try outbox.waiting(for: .owntracks, after: 0, atMost: 100)
    var expected = [Self.item(7, rank: .important), Self.item(3)]
    expected[0].number = 1
    expected[1].number = 3
    #expect(items == expected)
    #expect(try waiting(after: 1) == [3])
    #expect(try waiting(.collector) == [1])
    #expect(try outbox.waiting(for: .owntracks, after: 0, atMost: 1).map(\.record) == [7])
    #expect(try waiting(.osmand).isEmpty)
  }

  @Test("the last stored state is returned; an empty outbox has none") func state()
    throws
  {
    #expect(try outbox.state() == nil)
    var state = OutboxState(
      position: ChangeLogPosition(log: "1a", opening: .max, change: 12),
      stream: RecordStream(name: "s1", last: 4), newest: Self.start + 0.5)
    try outbox.queue([], state: state, at: Self.start)
    #expect(try outbox.state() == state)
    state.position = nil
    state.newest = nil
    try outbox.queue([], state: state, at: Self.start)
    #expect(try OutboxFile(path: folder.file("uplink.db")).state() == state)
  }

  @Test("a confirmed message is sent no more, and is kept for a while") func settled() throws {
    try queue(Self.item(1), Self.item(2), Self.item(3), Self.item(4))
    try outbox.confirm(
      [
        DeliveryResult(1, .received), DeliveryResult(2, .refused("no such device")),
        DeliveryResult(3, .handedOver),
      ], at: Self.start + 10)
    #expect(try waiting() == [4])
    let summary = OutboxSummary(
      .owntracks, waiting: 2, oldest: Self.start, refused: 1, lastRefusal: "no such device")
    #expect(try outbox.summaries() == [summary])
    #expect(try outbox.prune(settledBefore: Self.start + 10, atMost: 100) == 0)
    #expect(try outbox.summaries() == [summary])
    #expect(try outbox.prune(settledBefore: Self.start + 11, atMost: 100) == 0)
    #expect(try outbox.summaries() == [summary], "what was refused is kept")
  }

  @Test("an older acknowledgement reverts nothing") func late() throws {
    try queue(Self.item(1))
    try outbox.confirm([DeliveryResult(1, .received)], at: Self.start)
    try outbox.confirm([DeliveryResult(1, .handedOver)], at: Self.start)
    #expect(try outbox.resend(after: 0, at: Self.start + 100) == Resending())
    #expect(try waiting().isEmpty)
  }

  @Test("a collector's receipt confirms all up to its number, of its stream only") func receipts()
    throws
  {
    try queue(
      Self.item(1, to: .collector, sequence: 1), Self.item(2, to: .collector, sequence: 2),
      Self.item(3, to: .collector, sequence: 3), Self.item(9))
    try outbox.confirm(
      [DeliveryResult(1, .handedOver), DeliveryResult(2, .handedOver)], at: Self.start)
    let other = CollectorReceipt(stream: "s2", through: 3)
    #expect(try outbox.collected(other, at: Self.start) == 0)
    let receipt = CollectorReceipt(stream: "s1", through: 2)
    #expect(try outbox.collected(receipt, at: Self.start) == 2)
    #expect(try outbox.collected(receipt, at: Self.start) == 0)
    #expect(try waiting(.collector) == [3])
    #expect(try waiting() == [9])
  }

  @Test("a receipt beyond the last number is invalid, and the collector gets all anew")
  func putBack() throws {
    try outbox.queue(
      [Self.item(1, to: .collector, sequence: 1)],
      state: OutboxState(
        position: ChangeLogPosition(log: "1a", opening: 7, change: 12),
        stream: RecordStream(name: "s1", last: 1)), at: Self.start)
    let receipt = CollectorReceipt(stream: "s1", through: 2)
    #expect(try outbox.collected(receipt, at: Self.start) == 0)
    #expect(try waiting(.collector) == [1])
    #expect(try outbox.state()?.position?.log != "1a", "no store goes on from there")
  }

  @Test("a replacement for a waiting message keeps its age") func replaced() throws {
    try queue(Self.item(1, isNewestOnly: true))
    try queue(Self.item(2, isNewestOnly: true), after: 600)
    #expect(try waiting() == [2])
    #expect(try outbox.summaries().map(\.oldest) == [Self.start])
  }

  @Test("a message handed over without a receipt is sent again, unchanged") func again() throws {
    try queue(Self.item(1, to: .collector, sequence: 1))
    let first = try outbox.waiting(for: .collector, after: 0, atMost: 1)
    try outbox.confirm([DeliveryResult(1, .handedOver)], at: Self.start)
    #expect(try outbox.resend(after: 10, at: Self.start + 10).count == 0)
    #expect(try outbox.resend(after: 10, at: Self.start + 11).count == 1)
    #expect(try outbox.waiting(for: .collector, after: 0, atMost: 1) == first)
  }

  @Test("of messages that replace each other only the newest waits") func newest() throws {
    try queue(Self.item(1, to: .homeAssistant, isNewestOnly: true))
    try queue(
      Self.item(2, to: .homeAssistant, isNewestOnly: true),
      Self.item(3, to: .homeAssistant, topic: "a/c", isNewestOnly: true))
    #expect(try waiting(.homeAssistant) == [2, 3])
  }

  @Test("beyond the limit the oldest goes, visits and alerts last; collectors are notified of each")
  func bound() throws {
    try queue(
      Self.item(1, rank: .important), Self.item(2), Self.item(3, to: .collector, sequence: 1),
      Self.item(4), Self.item(5, rank: .important))
    #expect(try outbox.prune(settledBefore: Self.start, atMost: 5) == 0)
    #expect(try outbox.prune(settledBefore: Self.start, atMost: 3) == 2)
    #expect(try waiting() == [1, 4, 5])
    let collected = try outbox.waiting(for: .collector, after: 0, atMost: 1)
    #expect(collected.map(\.payload) == [[]])
    #expect(collected.map(\.sequence?.number) == [1])
    #expect(try outbox.prune(settledBefore: Self.start, atMost: 3) == 0)
    #expect(try outbox.prune(settledBefore: Self.start, atMost: 1) == 2)
    #expect(try waiting() == [5])
  }

  @Test("a message without a record is dropped before it is read, and the others are sent")
  func tooLong() throws {
    try queue(Self.item(1), Self.item(2), Self.item(3, to: .collector, sequence: 1))
    try outbox.database.execute(
      "UPDATE outbox SET payload = zeroblob(\(8 << 20) + (record > 1)) WHERE record < 3")
    try outbox.database.execute(
      "UPDATE outbox SET payload = zeroblob(20000000) WHERE record = 3")
    #expect(try outbox.prune(settledBefore: Self.start, atMost: 100) == 2)
    #expect(try waiting() == [1])
    let collected = try outbox.waiting(for: .collector, after: 0, atMost: 1)
    #expect(collected.map(\.payload) == [[]])
  }

  @Test(
    "an outbox that is moved, deleted or replaced is noticed, and so is its log",
    arguments: [
      "mv uplink.db other", "rm uplink.db", "cp uplink.db a; mv a uplink.db",
      "rm uplink.db-wal", "mv uplink.db-shm other",
    ])
  func gone(how: String) throws {
    try queue(Self.item(1))
    #expect(outbox.isInPlace)
    try OutboxFile(path: folder.file("uplink.db")).add(
      UplinkPause(from: Self.start, to: Self.start + 1))
    #expect(outbox.isInPlace, "others may write to it")
    _ = try run("sh", "-c", "cd '\(folder.path)' && \(how)")
    #expect(!outbox.isInPlace)
  }

  @Test("opening an outbox waits while others create it") func together() async throws {
    for round in 0..<5 {
      let path = folder.file("new-\(round).db")
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask { try OutboxFile(path: path).exchanges(atMost: 1).isEmpty }
        }
        for try await isEmpty in group { #expect(isEmpty) }
      }
    }
  }

  @Test("an outbox locked by another program is reported as such, with the remedy")
  func locked() throws {
    let path = folder.file("uplink.db")
    let other = try OutboxFile(path: path)
    try other.database.execute("BEGIN IMMEDIATE")
    try outbox.database.execute("PRAGMA busy_timeout = 1")
    let error = thrown(PortError.self) { try queue(Self.item(1)) }
    #expect(error?.message.contains("end the program that has locked it") == true)
  }

  @Test("a number is assigned once: a message with a used number is not queued") func twice() throws
  {
    try queue(Self.item(1, to: .collector, sequence: 1))
    #expect(throws: PortError.self) {
      try queue(Self.item(2), Self.item(3, to: .collector, sequence: 1))
    }
    #expect(try waiting().isEmpty)
  }

  @Test("the file is private to its user, and other files are refused") func foreign() throws {
    let mode = try run("stat", "-c", "%a", folder.file("uplink.db"))
    #expect(mode.output == "600\n")
    let other = folder.file("notes.txt")
    try folder.write("not a database, but somebody's notes\n", to: "notes.txt")
    let error = thrown(PortError.self) { try OutboxFile(path: other) }
    #expect(error?.message.contains("set uplink.path to another name") == true)
    #expect(try folder.text("notes.txt") == "not a database, but somebody's notes\n")
    #expect(throws: PortError.self) { try OutboxFile(path: folder.file("none/uplink.db")) }
  }
}
