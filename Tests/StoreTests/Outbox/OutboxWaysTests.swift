import Delivery
import Ports
import Core
import TestSupport
import Testing

@testable import Store

@Suite struct OutboxWaysTests {
  private let folder: ScratchFolder
  private static let start = UTCInstant(seconds: 1_777_593_600)

  init() throws { folder = try ScratchFolder() }

  private func outbox() throws -> OutboxFile { try OutboxFile(path: folder.file("uplink.db")) }

  @Test("a back-off lasts until it is removed, for its transport only") func holds() throws {
    let outbox = try outbox()
    #expect(try outbox.backoffs().isEmpty)
    let hold = TransportBackOff(failures: 3, until: Self.start + 60, why: "500: a fault of its own")
    try outbox.set(hold, for: .web(.osmand))
    try outbox.set(TransportBackOff(failures: 1, until: Self.start, why: "a"), for: .brokers)
    try outbox.set(TransportBackOff(failures: 2, until: Self.start, why: "b"), for: .brokers)
    #expect(
      try self.outbox().backoffs()
        == [
          .web(.osmand): hold, .brokers: TransportBackOff(failures: 2, until: Self.start, why: "b"),
        ])
    try outbox.set(nil, for: .web(.osmand))
    #expect(try outbox.backoffs().keys.map(\.name) == ["mqtt"])
  }

  @Test("a command is new once while it is valid, for every process, and their number is bounded")
  func orders() throws {
    let outbox = try outbox()
    #expect(try outbox.remember(order: "a", until: Self.start + 60, at: Self.start))
    #expect(try !self.outbox().remember(order: "a", until: Self.start + 90, at: Self.start + 60))
    #expect(try outbox.remember(order: "a", until: Self.start + 90, at: Self.start + 61))
    try outbox.forget(order: "a")
    #expect(try outbox.remember(order: "a", until: Self.start + 90, at: Self.start + 61))
    let table = RequestIDTable(database: outbox.database)
    try outbox.database.transaction { () throws(Database.Failure) in
      for number in 0...RequestIDTable.most {
        _ = try table.add("\(number)", until: Self.start + 1000, at: Self.start)
      }
    }
    #expect(try outbox.database.integer("SELECT count(*) FROM orders") == RequestIDTable.most)
    #expect(try outbox.remember(order: "a", until: Self.start + 90, at: Self.start))
  }

  @Test("the newest waiting message and the one that a broker is to retain") func newestRetained()
    throws
  {
    let outbox = try outbox()
    #expect(try outbox.newestRetained(for: .owntracks) == nil)
    let items = [true, true, false].map { isRetained in
      OutboxItem(
        to: .owntracks, layer: "a", record: 1, topic: "t", isRetained: isRetained, payload: [1])
    }
    try outbox.queue(items, state: OutboxState(stream: RecordStream(name: "s")), at: Self.start)
    #expect(try outbox.newestRetained(for: .owntracks)?.number == 2)
    try outbox.confirm([DeliveryResult(2, .received)], at: Self.start)
    #expect(try outbox.newestRetained(for: .owntracks)?.number == 1)
  }

  @Test("the activity log contains the newest entries, in order, and is bounded by age") func log()
    throws
  {
    let outbox = try outbox()
    let sent = Exchange(
      .sent, over: .brokers, at: Self.start, messages: 3, sentBytes: 410, receivedBytes: 20,
      note: "3 to owntracks")
    let failed = Exchange(
      .failed, over: .web(.overland), at: Self.start + 60, note: "401: not authorized")
    try outbox.note(sent)
    try outbox.note(failed)
    #expect(try outbox.exchanges(atMost: 10) == [sent, failed])
    #expect(try outbox.exchanges(atMost: 1) == [failed])
    #expect(try outbox.bytes(since: Self.start) == 430)
    #expect(try outbox.bytes(since: Self.start + 1) == 0)
    _ = try outbox.prune(settledBefore: Self.start + 1, atMost: 10)
    #expect(try outbox.exchanges(atMost: 10) == [failed])
  }

  @Test("a message with failed attempts waits, with their number") func failed() throws {
    let outbox = try outbox()
    let item = OutboxItem(to: .osmand, layer: "track_points", record: 1, payload: [1])
    try outbox.queue([item], state: OutboxState(stream: RecordStream(name: "s")), at: Self.start)
    try outbox.confirm([DeliveryResult(1, .failed)], at: Self.start)
    try outbox.confirm([DeliveryResult(1, .failed)], at: Self.start)
    #expect(try outbox.waiting(for: .osmand, after: 0, atMost: 9).map(\.failures) == [2])
  }

  @Test("one process sends the waiting messages, and a second one is refused") func lock() throws {
    let path = folder.file("uplink.db")
    do {
      let lock = try OutboxLock(path: path)
      let error = thrown(PortError.self) { try OutboxLock(path: path) }
      #expect(error?.message.contains("another godwit uplink") == true)
      withExtendedLifetime(lock) { #expect(OutboxLock.isTaken(path: path)) }
    }
    #expect(!OutboxLock.isTaken(path: path))
    _ = try OutboxLock(path: path)
  }

  @Test("a pause lasts until its end, or until it is removed") func pauses() throws {
    let outbox = try outbox()
    try outbox.add(UplinkPause(from: Self.start, to: Self.start + 60))
    try outbox.add(UplinkPause(from: Self.start + 100, to: Self.start + 1000))
    try outbox.endPauses(at: Self.start + 300)
    let kept = [
      UplinkPause(from: Self.start, to: Self.start + 60),
      UplinkPause(from: Self.start + 100, to: Self.start + 300),
    ]
    #expect(try outbox.pauses() == kept)
  }

  @Test("an outbox of the first version is migrated with its waiting messages") func upgrade()
    throws
  {
    let path = folder.file("uplink.db")
    do {
      let outbox = try outbox()
      let item = OutboxItem(to: .osmand, layer: "track_points", record: 1, payload: [7])
      let refused = OutboxItem(
        to: .collector, layer: "track_points", record: 1,
        sequence: StreamNumber(stream: "s", number: 1), payload: [8])
      let state = OutboxState(stream: RecordStream(name: "s", last: 1))
      try outbox.queue([item, refused], state: state, at: Self.start)
      try outbox.database.execute(
        """
        DROP TABLE holds; DROP TABLE exchanges; DROP TABLE pauses; DROP TABLE orders;
        ALTER TABLE outbox DROP COLUMN failures;
        UPDATE outbox SET state = 3 WHERE recipient = 'collector';
        PRAGMA user_version = 1
        """)
    }
    let outbox = try OutboxFile(path: path)
    #expect(try outbox.waiting(for: .osmand, after: 0, atMost: 9).map(\.payload) == [[7]])
    #expect(try outbox.backoffs().isEmpty)
    // A collector waits for the number of the message that it refused.
    let passed = try outbox.waiting(for: .collector, after: 0, atMost: 9)
    #expect(passed.map(\.sequence) == [StreamNumber(stream: "s", number: 1)])
    #expect(passed.map(\.payload) == [[]])
    #expect(try outbox.queueRefused(at: Self.start) == 1)
    #expect(try outbox.state()?.stream.name == "s")
  }

  @Test("a run without an orderly end is found, and one with an end is not") func runNote()
    throws
  {
    let note = RunMarker(try outbox())
    #expect(try note.found() == nil)
    try note.put(at: Self.start)
    let next = RunMarker(try outbox())
    #expect(try next.found() == Self.start)
    try next.put(at: Self.start + 60)
    try next.remove()
    #expect(try note.found() == nil)
  }
}
