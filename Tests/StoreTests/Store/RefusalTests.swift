import Foundation
import Ports
import Core
import TestSupport
import Testing

@testable import Store

/// Files and disks that cannot be written: each has its own error, and nothing is overwritten.
@Suite struct RefusalTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
  }

  private func contents() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  /// The error of opening for writing, after checking that the file is unchanged.
  private func refusal() throws -> PortError? {
    let before = try contents()
    defer { #expect((try? contents()) == before) }
    do {
      _ = try GeoPackageStore(path: path)
      return nil
    } catch { return error }
  }

  @Test("a file of a newer version is refused, and the error names both")
  func aNewerFileIsLeftAlone() throws {
    try GeoPackageStore(path: path).close()
    _ = try run("sqlite3", path, "INSERT INTO migrations VALUES (99, 'tracks-99')")
    guard case .newer(let text)? = try refusal() else { return #expect(Bool(false)) }
    #expect(text.contains(path) && text.contains("tracks-99"))
  }

  @Test(
    "a file that is no database is refused and not changed",
    arguments: ["no database at all, but long enough to look like one", "SQLite format 3\0"])
  func aDamagedFileIsLeftAlone(text: String) throws {
    try Data((text + String(repeating: "?", count: 4096)).utf8).write(
      to: URL(fileURLWithPath: path))
    guard case .corrupt(let text)? = try refusal() else { return #expect(Bool(false)) }
    #expect(text.contains(path) && text.contains("nothing was changed"))
    #expect(text.contains("check that it is the right file; if it is, stop the daemon"))
    #expect(folder.files == ["track.gpkg"])
  }

  @Test("a pipe in the store's place is refused, not waited for")
  func pipes() throws {
    #expect(mkfifo(path, 0o600) == 0)
    for open in [
      { _ = try StoreReader(path: path) }, { _ = try StoreLock(path: path) },
    ] as [() throws -> Void] {
      #expect(throws: PortError.self) { try open() }
    }
  }

  @Test("damage in the middle is reported, and reading changes nothing")
  func damageInTheMiddleIsReported() throws {
    let store = try GeoPackageStore(path: path)
    try store.write((0..<2000).map { .trackPoint(point(at: Seconds(Double($0)))) })
    try store.close()
    var bytes = try contents()
    for index in (bytes.count / 2)..<(bytes.count - 1024) { bytes[index] = 0xA5 }
    try bytes.write(to: URL(fileURLWithPath: path))
    let reader = try StoreReader(path: path)
    #expect(try !reader.integrityProblems().isEmpty)
    let error = thrown(PortError.self) { try reader.allPoints() }
    guard case .corrupt? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(try contents() == bytes)
  }

  @Test("another program's database is refused") func anotherProgramsFileIsLeftAlone() throws {
    _ = try run("sqlite3", path, "CREATE TABLE bookmarks (url TEXT)")
    guard case .failed(let text)? = try refusal() else { return #expect(Bool(false)) }
    #expect(text.contains("another program"))
    #expect(folder.files == ["track.gpkg"])
  }

  @Test("a file in a missing folder is an error that names it")
  func aMissingFolderIsNamed() throws {
    let error = thrown(PortError.self) {
      try GeoPackageStore(path: folder.file("none/track.gpkg"))
    }
    #expect(error?.message.contains("none/track.gpkg") == true)
    #expect(throws: PortError.self) { try StoreReader(path: path) }
  }

  @Test("a full disk is reported, written records stay, and with space it continues")
  func aFullDiskIsReportedAndWhatWasWrittenStays() throws {
    let store = try GeoPackageStore(path: path)
    try store.write([.trackPoint(point(at: 0))])
    let pages = try #require(try store.connection.integer("PRAGMA page_count"))
    _ = try store.connection.integer("PRAGMA max_page_count = \(pages + 4)")
    var failure: PortError?
    var written = 1
    while failure == nil, written < 10_000 {
      do {
        try store.write([.trackPoint(point(at: Seconds(Double(written))))])
        written += 1
      } catch { failure = error }
    }
    guard case .full(let text)? = failure else { return #expect(Bool(false)) }
    #expect(text.contains(path) && text.contains("free space"))
    #expect(try StoreReader(path: path).allPoints().count == written)
    // Space is available again: the same store continues.
    _ = try store.connection.integer("PRAGMA max_page_count = 1000000")
    try store.write([.trackPoint(point(at: Seconds(Double(written))))])
    #expect(try StoreReader(path: path).allPoints().count == written + 1)
  }

  /// The kernel refuses to let the log grow, at any point of a transaction.
  @Test("a limit on the file's size damages nothing that was acknowledged")
  func aFileLimitBreaksNothing() throws {
    let script = """
      trap '' XFSZ; ulimit -f 200; exec "$0" "$1" 1
      """
    let ended = try run("bash", "-c", script, KillTests.torture.path, path)
    #expect(ended.status != 0)
    let reader = try StoreReader(path: path)
    #expect(try reader.integrityProblems() == [])
    let acknowledged = ended.output.components("\n").compactMap(Int.init)
    #expect(acknowledged.count > 10)
    #expect(try reader.allPoints().count >= acknowledged.count)
  }

  /// Runs as another user, because permissions do not bind root.
  @Test(
    "a file that is read-only is reported and not changed",
    .enabled(if: getuid() == 0, "only root can take another user's part"))
  func aReadOnlyFileIsReported() throws {
    try GeoPackageStore(path: path).close()
    chmod(path, 0o444)
    chmod(folder.path, 0o755)
    let before = try contents()
    let ended = try run(
      "setpriv", "--reuid=65534", "--clear-groups", KillTests.torture.path, path, "1")
    #expect(ended.status != 0)
    #expect(ended.output.contains("it is read-only"), "\(ended.output)")
    #expect(ended.output.contains("only root may write to"), "\(ended.output)")
    #expect(try contents() == before)
  }

  @Test(
    "a folder where the user may not write is reported",
    .enabled(if: getuid() == 0, "only root can take another user's part"))
  func aFolderThatIsClosedIsReported() throws {
    chmod(folder.path, 0o755)
    let ended = try run(
      "setpriv", "--reuid=65534", "--clear-groups", KillTests.torture.path, path, "1")
    #expect(ended.status != 0)
    #expect(ended.output.contains("only root may write to \(folder.path)"), "\(ended.output)")
    #expect(folder.files == [])
  }

  @Test("a locked file is waited for with a timeout")
  func aLockedFileIsWaitedForWithABound() throws {
    let holder = try GeoPackageStore(path: path)
    try holder.connection.execute("BEGIN IMMEDIATE")
    let waiting = try Connection(
      path: path, access: .readWriteCreating, busyTimeoutMilliseconds: 20)
    let error = thrown(PortError.self) {
      try waiting.transaction { () throws(PortError) in }
    }
    guard case .busy? = error else { return #expect(Bool(false)) }
  }

  @Test("the main file alone is a store from the start")
  func theMainFileAloneIsAStoreFromTheStart() throws {
    let store = try GeoPackageStore(path: path)
    let copy = folder.file("copy.gpkg")
    try contents().write(to: URL(fileURLWithPath: copy))
    #expect(try StoreReader(path: copy).allPoints().isEmpty)
    try store.close()
  }

  @Test(
    "the error for a log that the reader may not apply explains it",
    .enabled(if: getuid() == 0, "only root can take another user's part"))
  func aLogThatCannotBeTakenInIsExplained() throws {
    chmod(folder.path, 0o755)
    let store = try GeoPackageStore(path: path)
    try store.write([.trackPoint(point(at: 0))])
    // As after a crash and a reboot: the log exists, the shared memory does not.
    let left = folder.file("left.gpkg")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: left + suffix)
    }
    let godwit = KillTests.torture.deletingLastPathComponent().appendingPathComponent("godwit").path
    let ended = try run(
      "setpriv", "--reuid=65534", "--clear-groups", godwit, "track", "--store", left)
    #expect(ended.status == 1)
    #expect(ended.output.contains("ended without closing it"))
    #expect(try StoreReader(path: left).allPoints().count == 1)
  }

  @Test("reading leaves nothing behind") func readingLeavesNothingBehind() throws {
    let store = try GeoPackageStore(path: path)
    try store.write([.trackPoint(point(at: 0))])
    try store.close()
    let before = try contents()
    #expect(try StoreReader(path: path).allPoints().count == 1)
    #expect(folder.files == ["track.gpkg"])
    #expect(try contents() == before)
  }

  @Test("a reader sees what the daemon had written when the query began")
  func aReaderSeesWhatTheDaemonHasWrittenSoFar() throws {
    let store = try GeoPackageStore(path: path)
    try store.write([.trackPoint(point(at: 0))])
    let reader = try StoreReader(path: path)
    var cursor = try reader.trackPoints()
    #expect(try cursor.next() != nil)
    try store.write([.trackPoint(point(at: 60))])
    #expect(try cursor.next() == nil)
    #expect(try reader.allPoints().count == 2)
  }

  @Test("a change during a read without locks is noticed")
  func aChangeUnderAReaderWithoutLocksIsNoticed() throws {
    try GeoPackageStore(path: path).close()
    let reader = try StoreReader(path: path)
    let store = try GeoPackageStore(path: path)
    try store.write((0..<100).map { .trackPoint(point(at: Seconds(Double($0)))) })
    try store.close()
    let error = thrown(PortError.self) { try reader.allPoints() }
    guard case .busy? = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }
}
