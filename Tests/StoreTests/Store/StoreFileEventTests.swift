import Foundation
import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Store

/// File events of a store while a daemon has it open, and their result.
@Suite struct StoreFileEventTests {
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

  /// A daemon's store whose only point is in the log alone.
  private func storeWithPoint() throws -> GeoPackageStore {
    let store = try opened()
    try store.write([.trackPoint(point(at: 0))])
    return store
  }

  /// A foreign store with this many points.
  private func other(_ name: String, points: Int = 300) throws -> String {
    let file = folder.file(name)
    let store = try GeoPackageStore(path: file)
    try store.write((0..<points).map { .trackPoint(point(at: Seconds(1000 + Double($0)))) })
    try store.close()
    return file
  }

  /// The next write reports the event, and the store opened next accepts the record.
  private func expectMoved(_ store: GeoPackageStore, saying words: String) throws {
    let error = thrown(PortError.self) { try store.write([.trackPoint(point(at: 60))]) }
    guard case .moved(let text)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.contains(words) && text.contains(path), "\(text)")
    // No log of the old file may be applied to the new one.
    #expect(folder.files.filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") } == [])
    let next = try opened(2, isReturn: true)
    try next.write([.trackPoint(point(at: 60))])
    try next.close()
  }

  private func count(_ file: String) throws -> Int {
    #expect(try run("sqlite3", "-readonly", file, "PRAGMA integrity_check").output == "ok\n")
    return try StoreReader(path: file).allPoints().count
  }

  @Test("a deleted store is created anew")
  func deleted() throws {
    let store = try storeWithPoint()
    for name in folder.files { unlink(folder.file(name)) }
    try expectMoved(store, saying: "was deleted")
    #expect(try count(path) == 1)
  }

  @Test("a moved store keeps all acknowledged records")
  func moved() throws {
    let store = try storeWithPoint()
    try #require(rename(path, folder.file("track.bak")) == 0)
    try expectMoved(store, saying: "was moved to \(folder.file("track.bak"))")
    #expect(try count(folder.file("track.bak")) == 1)
    #expect(try count(path) == 1)
  }

  /// Overwrites pages after the schema of the main file, so that its points cannot be read.
  private func damage(_ file: String) throws {
    let descriptor = open(file, O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let behind = lseek(descriptor, 0, SEEK_END) / 1024 * 768
    let zeros = [UInt8](repeating: 0, count: 2048)
    try #require(pwrite(descriptor, zeros, zeros.count, behind) == zeros.count)
  }

  @Test("a truncated log does not damage the store")
  func truncatedLog() throws {
    let name = try other("track.gpkg")
    #expect(name == path)
    let store = try opened()
    for second in 0..<40 { try store.write([.trackPoint(point(at: Seconds(Double(second))))]) }
    try #require(truncate(path + "-wal", 0) == 0)
    try expectMoved(store, saying: "the log of the store")
    #expect(try count(path) == 301)
  }

  @Test("a damaged store that is moved keeps its log with the newest records")
  func movedWithDamage() throws {
    let name = try other("track.gpkg")
    #expect(name == path)
    try damage(path)
    let store = try opened()
    try store.write([.event(LogEvent("gnss-on", "due"), time: start)])
    let moved = folder.file("track.bak")
    try #require(rename(path, moved) == 0)
    let error = thrown(PortError.self) { try store.write([.trackPoint(point(at: 60))]) }
    #expect(error?.message.contains("newest records are in the log \(moved)-wal") == true)
    #expect(FileManager.default.fileExists(atPath: moved + "-wal"))
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }

  /// A log that a killed process left, while the store's path has another main file since.
  private func leaveForeignLog() throws -> Data {
    let log: Data
    do {
      let killed = try storeWithPoint()
      for second in 1..<40 { try killed.write([.trackPoint(point(at: Seconds(Double(second))))]) }
      log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    }
    try #require(rename(try other("backup.gpkg"), path) == 0)
    try log.write(to: URL(fileURLWithPath: path + "-wal"))
    return log
  }

  @Test("the log of another file is set aside at the start, and both are kept")
  func foreignLog() throws {
    let log = try leaveForeignLog()
    let store = try opened(2)
    let warning = try store.ensureOpen()?.warning
    #expect(warning?.contains("an earlier file") == true, "\(warning ?? "no warning")")
    try store.write([.trackPoint(point(at: 60))])
    try store.close()
    #expect(try count(path) == 301)
    let kept = try Data(contentsOf: URL(fileURLWithPath: path + "-wal.of-another-file"))
    #expect(kept == log)
  }

  @Test("a label change refuses the log of another file, and changes nothing")
  func foreignLogAndLabel() throws {
    let log = try leaveForeignLog()
    let before = FileManager.default.contents(atPath: path)
    let refusal = thrown(PortError.self) { try GeoPackageStore(path: path) }
    #expect(refusal?.message.contains("an earlier file") == true)
    #expect(FileManager.default.contents(atPath: path) == before)
    #expect(FileManager.default.contents(atPath: path + "-wal") == log)
  }

  @Test("a label written into a replaced file is reported as lost")
  func labelOfAReplacedStore() throws {
    _ = try other("track.gpkg")
    let store = try GeoPackageStore(path: path)
    try #require(rename(try other("backup.gpkg"), path) == 0)
    let error = thrown(PortError.self) { try store.setLabel("Home", destination: 1) }
    #expect(error?.message.contains("run the command again") == true)
  }

  @Test("the log of an emptied store is kept at the next opening")
  func emptiedWithLog() throws {
    let log = try leaveForeignLog()
    try #require(truncate(path, 0) == 0)
    for attempt in 1...2 {
      let refusal = thrown(PortError.self) {
        if attempt == 1 {
          _ = try StoreReader(path: path).allPoints()
        } else {
          _ = try GeoPackageStore(path: path)
        }
      }
      #expect(refusal?.message.contains("nothing was changed") == true)
      #expect(FileManager.default.contents(atPath: path + "-wal") == log)
    }
    let store = try opened(2)
    try store.close()
    #expect(FileManager.default.contents(atPath: path + "-wal.of-another-file") == log)
  }

  @Test("another program's unfinished transaction is rolled back before reading")
  func hotJournal() throws {
    _ = try other("track.gpkg")
    let killed = try run(
      "sh", "-c",
      #"printf 'pragma journal_mode=delete; pragma cache_size=2; begin;\nupdate track_points "#
        + #"set accuracy_m = 99;\n.shell kill -9 $PPID\n' | sqlite3 "$0""#, path)
    #expect(killed.status != 0)
    try #require(FileManager.default.fileExists(atPath: path + "-journal"))
    let points = try StoreReader(path: path).allPoints()
    #expect(points.count == 300 && points.allSatisfy { $0.location.accuracy == 4.5 })
    #expect(try StoreCheck(path: path).isSound)
  }

  @Test("a path that begins with two slashes is an ordinary path")
  func doubleSlash() throws {
    _ = try other("track.gpkg")
    #expect(try StoreReader(path: "/" + path).allPoints().count == 300)
  }

  @Test("the log of a killed process belongs to the store, and all of it is kept")
  func ownLog() throws {
    let files = [path, path + "-wal"].map { URL(fileURLWithPath: $0) }
    var left: [Data] = []
    do {
      let killed = try storeWithPoint()
      for second in 1..<40 { try killed.write([.trackPoint(point(at: Seconds(Double(second))))]) }
      left = try files.map { try Data(contentsOf: $0) }
    }
    for (file, data) in zip(files, left) { try data.write(to: file) }
    let store = try opened(2)
    #expect(try store.ensureOpen()?.warning == nil)
    try store.close()
    #expect(try count(path) == 40)
  }

  @Test("a damaged store is reported at the start, and still accepts records")
  func damagedAtTheStart() throws {
    _ = try other("track.gpkg")
    try damage(path)
    let store = try opened()
    #expect(try store.ensureOpen()?.warning?.contains("is damaged") == true)
    try store.write([.event(LogEvent("gnss-on", "due"), time: start)])
  }

  @Test("a store replaced by another loses nothing of the other")
  func replaced() throws {
    let store = try storeWithPoint()
    try #require(rename(try other("backup.gpkg"), path) == 0)
    try expectMoved(store, saying: "another file replaced the store")
    #expect(try count(path) == 301)
  }

  @Test("a moved and replaced store keeps its records, and so does the other")
  func movedAndReplaced() throws {
    let store = try storeWithPoint()
    try #require(rename(path, folder.file("track.bak")) == 0)
    try #require(rename(try other("backup.gpkg"), path) == 0)
    try expectMoved(store, saying: "was moved to")
    #expect(try count(folder.file("track.bak")) == 1)
    #expect(try count(path) == 301)
  }

  @Test("a store truncated in the middle is refused, and nothing is changed")
  func truncatedInTheMiddle() throws {
    let store = try storeWithPoint()
    try #require(truncate(path, 5000) == 0)
    let error = thrown(PortError.self) { try store.write([.trackPoint(point(at: 60))]) }
    #expect(error?.message.contains("was truncated") == true)
    let before = FileManager.default.contents(atPath: path)
    let refusal = thrown(PortError.self) { try opened(2, isReturn: true) }
    guard case .corrupt? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test("an empty file is initialised, but not while it may be an unfinished copy")
  func emptied() throws {
    let store = try storeWithPoint()
    try #require(truncate(path, 0) == 0)
    let error = thrown(PortError.self) { try store.write([.trackPoint(point(at: 60))]) }
    #expect(error?.message.contains("was truncated") == true)
    let refusal = thrown(PortError.self) { try opened(2, isReturn: true) }
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

  @Test("a file copied over the store is left unchanged, and used")
  func writtenOver() throws {
    let store = try storeWithPoint()
    let copied = try Data(contentsOf: URL(fileURLWithPath: try other("backup.gpkg")))
    try copyOver(copied)
    try expectMoved(store, saying: "was overwritten")
    #expect(try count(path) == 301)
  }

  @Test("an older copy of the same store copied over it is detected")
  func writtenOverByAnOlderCopy() throws {
    let store = try opened()
    try store.write((0..<50).map { .trackPoint(point(at: Seconds(Double($0)))) })
    #expect(try store.connection.checkpoint())
    let older = try Data(contentsOf: URL(fileURLWithPath: path))
    try store.write((100..<400).map { .trackPoint(point(at: Seconds(Double($0)))) })
    #expect(try store.connection.checkpoint())
    try store.write([.trackPoint(point(at: 500))])
    try copyOver(older)
    try expectMoved(store, saying: "was overwritten")
    #expect(try count(path) == 51)
  }

  /// As cp(1) does: the same inode, other contents.
  private func copyOver(_ bytes: Data) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: bytes)
    try file.close()
  }

  @Test("half a copy is refused until it is complete", arguments: [true, false])
  func halfACopy(isWhole: Bool) throws {
    let store = try storeWithPoint()
    let copied = try Data(contentsOf: URL(fileURLWithPath: try other("backup.gpkg")))
    try copyOver(copied.prefix(copied.count / 2))
    #expect(throws: PortError.self) { try store.write([.trackPoint(point(at: 60))]) }
    #expect(throws: PortError.self) { try opened(2, isReturn: true) }
    guard isWhole else { return }
    try copyOver(copied)
    let next = try opened(3, isReturn: true)
    try next.write([.trackPoint(point(at: 60))])
    try next.close()
    #expect(try count(path) == 301)
  }

  @Test("a deleted log loses nothing", arguments: ["-wal", "-shm"])
  func lostLog(suffix: String) throws {
    let store = try storeWithPoint()
    try #require(unlink(path + suffix) == 0)
    try expectMoved(store, saying: "the log of the store")
    #expect(try count(path) == 2)
  }

  @Test("a new date, other programs' checkpoints and a vacuum are no failure")
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

  @Test("a reader that blocks the log delays the move, and nothing is lost")
  func aReaderKeepsTheLog() throws {
    let store = try storeWithPoint()
    var reader: StoreReader? = try StoreReader(path: path)
    try reader?.freeze()
    try store.write([.trackPoint(point(at: 30))])
    try #require(rename(path, folder.file("track.bak")) == 0)
    let error = thrown(PortError.self) { try store.write([.trackPoint(point(at: 60))]) }
    guard case .busy? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    reader = nil
    try expectMoved(store, saying: "was moved to")
    #expect(try count(folder.file("track.bak")) == 2)
    #expect(try count(path) == 1)
  }

  @Test("closing a store that has disappeared changes neither file")
  func closing() throws {
    let store = try storeWithPoint()
    try #require(rename(path, folder.file("track.bak")) == 0)
    let backup = try other("backup.gpkg")
    let before = FileManager.default.contents(atPath: backup)
    try #require(rename(backup, path) == 0)
    let error = thrown(PortError.self) { try store.close() }
    guard case .moved? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(FileManager.default.contents(atPath: path) == before)
    #expect(folder.files == ["track.bak", "track.gpkg"])
    #expect(try count(folder.file("track.bak")) == 1)
  }

  @Test("an opening reports those before it, and writes its mark with the first record")
  func marks() throws {
    for mark: UInt32 in 1...30 {
      let store = try opened(mark)
      let opening = try #require(try store.ensureOpen())
      #expect(opening.marks == (1..<mark).suffix(OpeningMarks.maxCount) && opening.mark == mark)
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
