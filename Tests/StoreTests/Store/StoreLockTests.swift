import Foundation
import Platform
import Ports
import TestSupport
import Testing

@testable import Store

/// One daemon per store. flock(2) locks belong to the open file, not to the process, so two locks
/// in one process exclude each other as those of two daemons do.
@Suite struct StoreLockTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
  }

  private func expectBusy(_ path: String) {
    let error = thrown(PortError.self) { try StoreLock(path: path) }
    guard case .busy(let text)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.contains("(process \(getpid()))"), "\(text)")
  }

  @Test("a second lock is refused, with the first one's process, until the first is released")
  func onlyOneHolds() throws {
    let first = try StoreLock(path: path)
    expectBusy(path)
    first.release()
    _ = try StoreLock(path: path)
  }

  @Test("other names of the file are locked with it")
  func namesAreOne() throws {
    let lock = try StoreLock(path: path)
    try #require(link(path, folder.file("hard.gpkg")) == 0)
    try #require(symlink(path, folder.file("soft.gpkg")) == 0)
    expectBusy(folder.file("hard.gpkg"))
    expectBusy(folder.file("soft.gpkg"))
    withExtendedLifetime(lock) {}
  }

  @Test("the store keeps its lock until it is closed, and admits labels and readers")
  func theStoreHoldsIt() throws {
    let store = try GeoPackageStore(path: path, lock: StoreLock(path: path))
    try store.write([.trackPoint(point(at: 0))])
    // Another process tries: opening and closing the file here would release SQLite's locks.
    #expect(try run("flock", "--nonblock", path, "true").status == 1)
    let label = try GeoPackageStore(path: path)
    #expect(try label.setLabel("home", destination: 1) == false)
    try label.close()
    #expect(try StoreReader(path: path).allPoints().count == 1)
    #expect(try run("sqlite3", path, "UPDATE meta SET value = value").status == 0)
    try store.close()
    _ = try StoreLock(path: path)
  }

  @Test("SQLite keeps its own locks while the store's is held")
  func sqliteKeepsItsLocks() throws {
    let store = try GeoPackageStore(path: path, lock: StoreLock(path: path))
    try store.connection.execute("BEGIN IMMEDIATE")
    let other = try run("sqlite3", "-cmd", ".timeout 20", path, "UPDATE meta SET value = value")
    #expect(other.output.contains("locked"), "\(other.output)")
    try store.connection.execute("ROLLBACK")
  }

  @Test("a file that is no store is left unchanged")
  func aForeignFileIsUntouched() throws {
    try Data("notes".utf8).write(to: URL(fileURLWithPath: path))
    let before = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    _ = try StoreLock(path: path)
    #expect(try folder.text("track.gpkg") == "notes")
    let after = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    #expect(before == after)
  }

  @Test("a file that is not regular is not opened", arguments: ["/dev/null", "/dev/zero", "/tmp"])
  func onlyOrdinaryFiles(path: String) {
    let error = thrown(PortError.self) { try StoreLock(path: path) }
    #expect(error?.message.contains("not a regular file") == true)
  }

  @Test("if the store cannot be opened the lock is released")
  func aFailureReleasesIt() throws {
    try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: PortError.self) {
      try GeoPackageStore(path: path, lock: StoreLock(path: path))
    }
    _ = try StoreLock(path: path)
  }

  @Test("a line of /proc/locks names the holder of this file and of no other")
  func linesOfTheKernel() {
    let file = FileIdentity(device: 0x801, inode: 5678)
    func holder(_ line: String) -> Int32? { StoreLock.holder(of: file, in: line) }
    #expect(holder("1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF\n") == 1234)
    #expect(holder("1: -> FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF\n") == nil)
    #expect(holder("1: POSIX  ADVISORY  WRITE 1234 08:01:5678 0 EOF\n") == nil)
    #expect(holder("1: FLOCK  ADVISORY  WRITE 1234 08:02:5678 0 EOF\n") == nil)
    #expect(holder("1: FLOCK  ADVISORY  WRITE 1234 08:01:5679 0 EOF\n") == nil)
    #expect(holder("1: FLOCK  ADVISORY  WRITE 0 08:01:5678 0 EOF\n") == nil)
    #expect(holder("") == nil)
  }
}
