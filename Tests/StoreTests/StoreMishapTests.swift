import Foundation
import Ports
import Quantities
import TestSupport
import Testing

@testable import Store

/// What happens to a store's files while a daemon has them open, and what is left afterwards.
@Suite struct StoreMishapTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
  }

  private func opened(_ mark: UInt32 = 1, isReturn: Bool = false) throws -> GeoPackageStore {
    try GeoPackageStore(
      path: path, lock: StoreLock(path: path, unlessJustMade: isReturn), mark: mark,
      isReturn: isReturn)
  }

  /// A daemon's store with a point, of which the log knows, and no more than the log.
  private func storeWithPoint() throws -> GeoPackageStore {
    let store = try opened()
    try store.write([.trackPoint(point(at: 0))])
    return store
  }

  /// A store of somebody else, with this many points.
  private func other(_ name: String, points: Int = 300) throws -> String {
    let file = folder.file(name)
    let store = try GeoPackageStore(path: file)
    try store.write((0..<points).map { .trackPoint(point(at: Seconds(1000 + Double($0)))) })
    try store.close()
    return file
  }

  /// The next write says what happened, and the one that is opened then takes the record.
  private func expectMoved(_ store: GeoPackageStore, saying words: String) throws {
    let error = thrown(StoreError.self) { try store.write([.trackPoint(point(at: 60))]) }
    guard case .moved(let text)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.contains(words) && text.contains(path), "\(text)")
    // No log of the old file may come over the new one.
    #expect(folder.files.filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") } == [])
    let next = try opened(2, isReturn: true)
    try next.write([.trackPoint(point(at: 60))])
    try next.close()
  }

  private func count(_ file: String) throws -> Int {
    #expect(try run("sqlite3", "-readonly", file, "PRAGMA integrity_check").output == "ok\n")
    return try StoreReader(path: file).allPoints().count
  }

  @Test("a deleted store is begun anew")
  func deleted() throws {
    let store = try storeWithPoint()
    for name in folder.files { unlink(folder.file(name)) }
    try expectMoved(store, saying: "was deleted")
    #expect(try count(path) == 1)
  }

  @Test("a moved store takes all that was acknowledged with it")
  func moved() throws {
    let store = try storeWithPoint()
    try #require(rename(path, folder.file("track.bak")) == 0)
    try expectMoved(store, saying: "was moved to \(folder.file("track.bak"))")
    #expect(try count(folder.file("track.bak")) == 1)
    #expect(try count(path) == 1)
  }

  @Test("a store in whose place another was moved loses nothing of the other")
  func replaced() throws {
    let store = try storeWithPoint()
    try #require(rename(try other("backup.gpkg"), path) == 0)
    try expectMoved(store, saying: "another file was put in the place")
    #expect(try count(path) == 301)
  }

  @Test("a store that was moved and replaced keeps its own, and the other its own")
  func movedAndReplaced() throws {
    let store = try storeWithPoint()
    try #require(rename(path, folder.file("track.bak")) == 0)
    try #require(rename(try other("backup.gpkg"), path) == 0)
    try expectMoved(store, saying: "was moved to")
    #expect(try count(folder.file("track.bak")) == 1)
    #expect(try count(path) == 301)
  }

  @Test("a store that was truncated in the middle is refused, and nothing is changed")
  func truncatedInTheMiddle() throws {
    let store = try storeWithPoint()
    try #require(truncate(path, 5000) == 0)
    let error = thrown(StoreError.self) { try store.write([.trackPoint(point(at: 60))]) }
    #expect(error?.message.contains("was truncated") == true)
    let before = FileManager.default.contents(atPath: path)
    let refusal = thrown(StoreError.self) { try opened(2, isReturn: true) }
    guard case .corrupt? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test("an empty file is begun anew, but not while it may be the beginning of a copy")
  func emptied() throws {
    let store = try storeWithPoint()
    try #require(truncate(path, 0) == 0)
    let error = thrown(StoreError.self) { try store.write([.trackPoint(point(at: 60))]) }
    #expect(error?.message.contains("was truncated") == true)
    let refusal = thrown(StoreError.self) { try opened(2, isReturn: true) }
    guard case .busy? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: path)
    let next = try opened(2, isReturn: true)
    try next.write([.trackPoint(point(at: 60))])
    try next.close()
    #expect(try count(path) == 1)
  }

  @Test("a file that was copied over the store is left as it is, and goes on")
  func writtenOver() throws {
    let store = try storeWithPoint()
    let copied = try Data(contentsOf: URL(fileURLWithPath: try other("backup.gpkg")))
    try copyOver(copied)
    try expectMoved(store, saying: "was written over")
    #expect(try count(path) == 301)
  }

  @Test("an older copy of the same store that was copied over it is found")
  func writtenOverByAnOlderCopy() throws {
    let store = try opened()
    try store.write((0..<50).map { .trackPoint(point(at: Seconds(Double($0)))) })
    #expect(try store.connection.checkpoint())
    let older = try Data(contentsOf: URL(fileURLWithPath: path))
    try store.write((100..<400).map { .trackPoint(point(at: Seconds(Double($0)))) })
    #expect(try store.connection.checkpoint())
    try store.write([.trackPoint(point(at: 500))])
    try copyOver(older)
    try expectMoved(store, saying: "was written over")
    #expect(try count(path) == 51)
  }

  /// As cp(1) does: the same inode, other contents.
  private func copyOver(_ bytes: Data) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: bytes)
    try file.close()
  }

  @Test("half a copy is refused until it is whole", arguments: [true, false])
  func halfACopy(isWhole: Bool) throws {
    let store = try storeWithPoint()
    let copied = try Data(contentsOf: URL(fileURLWithPath: try other("backup.gpkg")))
    try copyOver(copied.prefix(copied.count / 2))
    #expect(throws: StoreError.self) { try store.write([.trackPoint(point(at: 60))]) }
    #expect(throws: StoreError.self) { try opened(2, isReturn: true) }
    guard isWhole else { return }
    try copyOver(copied)
    let next = try opened(3, isReturn: true)
    try next.write([.trackPoint(point(at: 60))])
    try next.close()
    #expect(try count(path) == 301)
  }

  @Test("a log that was deleted is not lost", arguments: ["-wal", "-shm"])
  func lostLog(suffix: String) throws {
    let store = try storeWithPoint()
    try #require(unlink(path + suffix) == 0)
    try expectMoved(store, saying: "the log of the store")
    #expect(try count(path) == 2)
  }

  @Test("a new date alone, other programs' checkpoints and a vacuum are no mishap")
  func whatIsNoMishap() throws {
    let store = try opened()
    try store.write((0..<400).map { .trackPoint(point(at: Seconds(Double($0)))) })
    #expect(utimes(path, nil) == 0)
    try store.write([.trackPoint(point(at: 500))])
    #expect(try run("sqlite3", path, "PRAGMA wal_checkpoint(TRUNCATE)").status == 0)
    try store.write([.trackPoint(point(at: 501))])
    let sql = "DELETE FROM track_points WHERE id % 2000000; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"
    #expect(try run("sqlite3", path, sql).status == 0)
    try store.write([.trackPoint(point(at: 502))])
    let label = try GeoPackageStore(path: path)
    _ = try label.setLabel("home", destination: 1)
    try label.close()
    #expect(chmod(path, 0o600) == 0 && link(path, folder.file("other name")) == 0)
    try store.write([.trackPoint(point(at: 503))])
    try store.close()
    #expect(try run("sqlite3", path, "PRAGMA integrity_check").output == "ok\n")
  }

  @Test("a reader that keeps the log back delays the move, and nothing is lost")
  func aReaderKeepsTheLog() throws {
    let store = try storeWithPoint()
    var reader: StoreReader? = try StoreReader(path: path)
    try reader?.freeze()
    try store.write([.trackPoint(point(at: 30))])
    try #require(rename(path, folder.file("track.bak")) == 0)
    let error = thrown(StoreError.self) { try store.write([.trackPoint(point(at: 60))]) }
    guard case .busy? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    reader = nil
    try expectMoved(store, saying: "was moved to")
    #expect(try count(folder.file("track.bak")) == 2)
    #expect(try count(path) == 1)
  }

  @Test("closing a store that went changes neither the one nor the other")
  func closing() throws {
    let store = try storeWithPoint()
    try #require(rename(path, folder.file("track.bak")) == 0)
    let backup = try other("backup.gpkg")
    let before = FileManager.default.contents(atPath: backup)
    try #require(rename(backup, path) == 0)
    let error = thrown(StoreError.self) { try store.close() }
    guard case .moved? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(FileManager.default.contents(atPath: path) == before)
    #expect(folder.files == ["track.bak", "track.gpkg"])
    #expect(try count(folder.file("track.bak")) == 1)
  }

  @Test("an opening tells of those before it, and leaves its mark with the first record")
  func marks() throws {
    for mark: UInt32 in 1...30 {
      let store = try opened(mark)
      let opening = try #require(try store.ensureOpen())
      #expect(opening.marks == (1..<mark).suffix(OpeningMarks.most) && opening.mark == mark)
      #expect(try store.ensureOpen() == nil, "told once")
      try store.write([.visit(visit(Int64(mark), from: 0))])
      try store.close()
    }
    let idle = try opened(99)
    #expect(try idle.ensureOpen()?.identifiers.visit == 30)
    try idle.close()
    #expect(try opened(100).ensureOpen()?.marks.last == 30)
  }
}
