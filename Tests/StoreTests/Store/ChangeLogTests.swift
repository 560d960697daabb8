import Foundation
import Ports
import Core
import Records
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@testable import Store

/// The store's log of new and changed records, for programs that pass them on.
@Suite struct ChangeLogTests {
  private let folder: ScratchFolder
  private var path: String { folder.file("life.gpkg") }

  init() throws { folder = try ScratchFolder() }

  private func open(_ mark: UInt32 = 1, keeps: Bool? = true) throws -> GeoPackageStore {
    let store = try GeoPackageStore(path: path, mark: mark, keepsChangeLog: keeps)
    _ = try store.ensureOpen()
    return store
  }

  private func log(after number: Int64 = 0) throws -> [String] {
    try StoreReader(path: path).changes(after: number, atMost: 100).map {
      "\($0.layer) \($0.record)\($0.isWithdrawal ? " withdrawn" : "")"
    }
  }

  @Test("without a consumer nothing is logged") func nobody() throws {
    let store = try open(keeps: nil)
    try store.write([.visit(visit(1, from: 0))])
    #expect(try log().isEmpty)
    #expect(try StoreReader(path: path).changeLogEnd() == nil)
  }

  @Test("the last change of each record is logged, in order") func changes() throws {
    let store = try open()
    try store.write([.visit(visit(1, from: 0)), .session(session(1, at: 0))])
    try store.write([.trackPoint(point(at: 5)), .visit(visit(1, from: 0, to: 60))])
    let id = (start + 5).wholeMicroseconds
    #expect(try log() == ["gnss_sessions 1", "track_points \(id)", "visits 1"])
    let end = try #require(try StoreReader(path: path).changeLogEnd())
    #expect(end == ChangeLogPosition(log: "1", opening: 1, change: 4))
    #expect(try log(after: end.change - 1) == ["visits 1"])
    #expect(try log(after: end.change).isEmpty)
  }

  /// Descriptors of this process for the store and its side files.
  private var openFiles: Int {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\($0)")
        return target?.hasPrefix(path) ?? false
      }
    }
  }

  @Test("a file that is opened again releases the old one, once no cursor needs it")
  func givenBack() throws {
    // Beside a writer of the same process SQLite keeps closed descriptors until its locks are
    // released.
    try open().write([.visit(visit(1, from: 0)), .visit(visit(2, from: 90))])
    #expect(try openFiles == 0)
    let reader = try StoreReader(path: path)
    let opened = try openFiles
    #expect(opened > 0)
    for _ in 1...20 {
      try reader.reopen()
      _ = try reader.changes(after: 0, atMost: 9)
    }
    #expect(try openFiles == opened)
    var cursor: RowCursor<Visit>? = try reader.visits()
    #expect(try cursor?.next()?.id == 1)
    try reader.reopen()
    #expect(try cursor?.next()?.id == 2, "it goes on with the file of before")
    cursor = nil
    #expect(try openFiles == opened)
  }

  @Test("a long-lived reader opens the file again: it may be written now, or be another")
  func reopened() throws {
    try open().write([.visit(visit(1, from: 0))])
    let reader = try StoreReader(path: path)
    #expect(try reader.changes(after: 0, atMost: 9).map(\.record) == [1])
    let store = try open(2)
    try store.write([.visit(visit(2, from: 90))])
    #expect(
      try reader.changes(after: 0, atMost: 9).map(\.record) == [1],
      "without a log it was read without locks, and the log is not looked for again")
    try reader.reopen()
    #expect(try reader.changes(after: 0, atMost: 9).map(\.record) == [1, 2])
    try #require(rename(path, folder.file("old.gpkg")) == 0)
    #expect(throws: PortError.self) { try reader.reopen() }
  }

  @Test("a reader beside a daemon keeps the files open until they are replaced")
  func keptOpen() throws {
    let store = try open()
    try store.write([.visit(visit(1, from: 0))])
    let reader = try StoreReader(path: path)
    try reader.reopen()
    let first = reader.connection
    for number in 2...9 {
      try store.write([.visit(visit(Int64(number), from: Seconds(Double(100 * number))))])
      try reader.reopen()
      #expect(try reader.changes(after: 0, atMost: 99).count == number)
      #expect(try reader.changeLogEnd() != nil)
    }
    #expect(reader.connection === first)
    // A cursor keeps its snapshot, and a new one sees the newest records.
    var cursor = try reader.visits()
    _ = try cursor.next()
    try store.write([.visit(visit(10, from: 1000))])
    try reader.reopen()
    #expect(reader.connection !== first)
    #expect(try cursor.all().count == 8)
    #expect(try reader.changes(after: 0, atMost: 99).count == 10)
    try #require(rename(path, folder.file("old.gpkg")) == 0)
    #expect(throws: PortError.self) { try reader.reopen() }
  }

  @Test("changes by other programs are logged, too") func others() throws {
    let store = try open()
    try store.write([.visit(visit(1, from: 0)), .visit(visit(2, from: 90))])
    try edit(path, bySQL: "UPDATE visits SET confidence = 0.5 WHERE id = 1")
    #expect(try log() == ["visits 2", "visits 1"])
  }

  @Test("withdrawals are reported, and changes that are too old are not") func withdrawals() throws
  {
    let store = try open()
    try store.write([
      .visit(visit(1, from: 0)), .visit(visit(2, from: 90, to: 100)),
      .trackPoint(point(at: 5, reason: .coarse)), .trackPoint(point(at: 6)),
    ])
    try store.write([.visitWithdrawn(id: 1), .trackPointReplaced(time: start + 5)])
    let coarse = (start + 5).wholeMicroseconds
    let kept = (start + 6).wholeMicroseconds
    #expect(
      try log() == [
        "visits 2", "track_points \(kept)", "visits 1 withdrawn",
        "track_points \(coarse) withdrawn",
      ])
    try edit(path, bySQL: "DELETE FROM visits")
    #expect(
      try log() == [
        "track_points \(kept)", "visits 1 withdrawn", "track_points \(coarse) withdrawn",
      ])
  }

  @Test("a withdrawn destination with a name stays, and is a change") func named() throws {
    let store = try open()
    let place = Destination(
      id: 1, position: position(52.1, 5.2), radius: 20, visits: 1, totalDwell: 60)
    try store.write([.destination(place)])
    _ = try store.setLabel("Quay", destination: 1)
    try store.write([.destinationWithdrawn(id: 1)])
    #expect(try log() == ["destinations 1"])
    _ = try store.setLabel(nil, destination: 1)
    try store.write([.destinationWithdrawn(id: 1)])
    #expect(try log() == ["destinations 1 withdrawn"])
  }

  @Test("every logged kind can be read by its id, and is logged") func kinds() throws {
    let store = try open()
    for kind in Record.ofBoard {
      let layer = kind.layout.name
      #expect(try StoreReader(path: path).record(1, of: layer) == nil)
      let triggers = try store.connection.integer(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = '\(layer)'"
          + " AND sql LIKE '%\(ChangeSchema.table)%'")
      #expect(triggers == 3, "\(layer)")
    }
    try store.write([.visit(visit(1, from: 0))])
    let found = try StoreReader(path: path).record(1, of: "visits")
    #expect(found as? Visit == visit(1, from: 0))
    #expect(try StoreReader(path: path).record(1, of: "places") == nil)
    #expect(try StoreReader(path: path).record(1, of: "meta") == nil)
  }

  @Test("switched off, the log is deleted; switched on again, it is a new one")
  func switchedOff() throws {
    let store = try open(1)
    try store.write([.visit(visit(1, from: 0))])
    let position = try #require(try StoreReader(path: path).changeLogEnd())
    try store.close()
    let off = try open(2, keeps: false)
    try off.write([.visit(visit(2, from: 90))])
    #expect(try StoreReader(path: path).changeLogEnd() == nil)
    #expect(try !StoreReader(path: path).continues(from: position))
    try off.close()
    let again = try open(3)
    try again.write([.visit(visit(3, from: 180))])
    #expect(try log() == ["visits 3"])
    #expect(try !StoreReader(path: path).continues(from: position))
  }

  @Test("after a restart the log continues; after a restored copy it does not") func restored()
    throws
  {
    let store = try open(1)
    try store.write([.visit(visit(1, from: 0))])
    try store.close()
    let copy = folder.file("copy.gpkg")
    #expect(try run("cp", path, copy).status == 0)
    let second = try open(2)
    try second.write([.visit(visit(2, from: 90))])
    let position = try #require(try StoreReader(path: path).changeLogEnd())
    try second.close()
    let third = try open(3)
    try third.write([.visit(visit(3, from: 180))])
    #expect(try StoreReader(path: path).continues(from: position))
    #expect(try log(after: position.change) == ["visits 3"])
    try third.close()

    _ = try StoreBackup().restore(copy, to: path)
    #expect(try !StoreReader(path: path).continues(from: position), "it is shorter")
    let restored = try open(4)
    try restored.write((2...5).map { .visit(visit($0, from: Seconds(Double($0) * 60))) })
    #expect(try !StoreReader(path: path).continues(from: position), "it was opened otherwise")
  }

  @Test("a repaired store has a new log") func repaired() throws {
    let store = try open(1)
    try store.write([.visit(visit(1, from: 0))])
    let position = try #require(try StoreReader(path: path).changeLogEnd())
    try store.close()
    _ = try StoreRepair(path: path)
    #expect(try StoreReader(path: path).changeLogEnd() == nil)
    let again = try open(2)
    try again.write([.visit(visit(2, from: 90))])
    #expect(try log() == ["visits 2"])
    #expect(try !StoreReader(path: path).continues(from: position))
  }
}
