import Foundation
import Ports
import Core
import TestSupport
import Testing

@testable import Store

/// Backups of stores, made and restored.
@Suite struct StoreBackupTests {
  let life: Life
  let copy: String

  init() throws {
    life = try Life(points: 6000)
    copy = life.folder.file("copy.gpkg")
  }

  @Test("the daemon keeps writing, and the copy is consistent") func whileWriting() throws {
    let store = try GeoPackageStore(path: life.path, lock: try StoreLock(path: life.path))
    try store.write([.trackPoint(point(at: .days(30)))])
    var later = 0
    let backup = StoreBackup {
      later += 1
      try? store.write([.trackPoint(point(at: .days(30) + Seconds(Double(later))))])
    }
    let saved = try backup.save(life.path, to: copy, replacing: false)
    #expect(later >= 3, "\(saved.bytes) bytes in too few steps")
    #expect(saved.check.isSound && saved.warning == nil)
    #expect(try StoreReader(path: life.path).allPoints().count == 6001 + later)
    #expect(try StoreReader(path: copy).allPoints().last == point(at: .days(30)))
    #expect(try StoreReader(path: copy).allPoints().count == 6001)
    #expect(try StoreCheck(path: copy).isSound)
    try store.close()
    #expect(life.folder.files == ["copy.gpkg", "track.gpkg"])
    let asked = try run("sqlite3", copy, "PRAGMA integrity_check; PRAGMA journal_mode")
    #expect(asked.output == "ok\ndelete\n")
  }

  @Test("records acknowledged before are in the copy", .timeLimit(.minutes(2)))
  func besideAProcess() throws {
    let folder = try ScratchFolder()
    let path = folder.file("track.gpkg")
    let process = Process()
    process.executableURL = KillTests.torture
    process.arguments = [path, "1"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    defer { process.terminate() }
    var heard = Data()
    for round in 1...5 {
      while heard.count < round * 60,
        let more = try pipe.fileHandleForReading.read(upToCount: 60), !more.isEmpty
      { heard.append(more) }
      let lines = String(decoding: heard, as: UTF8.self).split(separator: "\n").dropLast()
      let file = folder.file("copy-\(round).gpkg")
      _ = try StoreBackup().save(path, to: file, replacing: false)
      let reader = try StoreReader(path: file)
      #expect(try reader.integrityProblems() == [])
      #expect(try reader.allPoints().count >= Int(lines.last ?? "0") ?? 0)
    }
    #expect(process.isRunning)
  }

  @Test("a copy that fails leaves nothing behind") func failed() throws {
    #expect(throws: PortError.self) {
      try StoreBackup().save(life.path, to: life.folder.file("none/copy"), replacing: false)
    }
    try life.damage(pages: 5, seed: 5)
    #expect(throws: PortError.self) {
      try StoreBackup().save(life.path, to: copy, replacing: false)
    }
    #expect(life.folder.files == ["track.gpkg"])
  }

  @Test("an existing file is replaced only on request") func existing() throws {
    try life.folder.write("precious", to: "copy.gpkg")
    #expect(throws: PortError.self) {
      try StoreBackup().save(life.path, to: copy, replacing: false)
    }
    #expect(try life.folder.text("copy.gpkg") == "precious")
    _ = try StoreBackup().save(life.path, to: copy, replacing: true)
    #expect(try StoreCheck(path: copy).isSound)
  }

  @Test("a copy is not put beside a foreign log", arguments: ["-wal", "-journal"])
  func strays(suffix: String) throws {
    try life.folder.write("somebody's", to: "copy.gpkg" + suffix)
    for hasFile in [false, true] {
      if hasFile { try life.folder.write("precious", to: "copy.gpkg") }
      let before = life.folder.files
      let error = thrown(PortError.self) {
        try StoreBackup().save(life.path, to: copy, replacing: true)
      }
      #expect(error?.message.contains(copy + suffix) == true, "\(String(describing: error))")
      #expect(life.folder.files == before)
    }
    #expect(try life.folder.text("copy.gpkg") == "precious")
    // Also if it appeared while the copy was being made.
    try FileManager.default.removeItem(atPath: copy + suffix)
    let late = StoreBackup { try? life.folder.write("somebody's", to: "copy.gpkg" + suffix) }
    #expect(throws: PortError.self) { try late.save(life.path, to: copy, replacing: true) }
    #expect(try life.folder.text("copy.gpkg") == "precious")
  }

  @Test("the store of a running daemon is not replaced by a copy of another") func inUse() throws {
    let other = try Life(points: 1)
    let before = try other.bytes()
    let lock = try StoreLock(path: other.path)
    let error = thrown(PortError.self) {
      try StoreBackup().save(life.path, to: other.path, replacing: true)
    }
    guard case .busy? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(try other.bytes() == before)
    lock.release()
    // A daemon cannot open the file while it is being replaced.
    var isShutOut = false
    let backup = StoreBackup { isShutOut = (try? StoreLock(path: other.path)) == nil }
    _ = try backup.save(life.path, to: other.path, replacing: true)
    #expect(isShutOut)
    _ = try StoreLock(path: other.path)
  }

  @Test("only a regular file is replaced") func pipe() throws {
    try #require(mkfifo(copy, 0o600) == 0)
    let folder = life.folder.file("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in [copy, folder] {
      let error = thrown(PortError.self) {
        try StoreBackup().save(life.path, to: name, replacing: true)
      }
      #expect(error?.message.contains("\(name) is not a regular file") == true)
    }
    #expect(life.folder.files == ["copy.gpkg", "folder", "track.gpkg"])
  }

  @Test("unreadable rows are left out in both directions, and reported") func unsound() throws {
    try life.sql(
      """
      UPDATE visits SET confidence = 'high' WHERE id = 1;
      UPDATE gpkg_contents SET min_x = 10, max_x = 5 WHERE table_name = 'visits'
      """)
    let saved = try StoreBackup().save(life.path, to: copy, replacing: false)
    #expect(saved.check.problems.map(\.kind) == [.row, .extent])
    #expect(saved.check.problems[0].text.contains("the store \(life.path) has an unreadable value"))
    let restored = try StoreBackup().restore(copy, to: life.path)
    #expect(restored.check.problems.count == 2 && restored.keptAs != nil)
    // A store that no daemon could work with is not a backup.
    try life.sql("DROP TABLE visits")
    let error = thrown(PortError.self) {
      try StoreBackup().save(life.path, to: copy, replacing: true)
    }
    #expect(error?.message.contains("`godwit store repair --store \(life.path)`") == true)
  }

  @Test("neither the store nor its side files are an output") func ownFiles() throws {
    let link = life.folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: life.path)
    let dangling = life.folder.file("dangling")
    try FileManager.default.createSymbolicLink(
      atPath: dangling, withDestinationPath: "track.gpkg-shm")
    let hard = life.folder.file("hard")
    try FileManager.default.linkItem(atPath: life.path, toPath: hard)
    let before = try life.bytes()
    for name in [life.path, life.path + "-wal", life.path + "-journal", link, dangling, hard] {
      #expect(throws: PortError.self, "\(name)") {
        try StoreBackup().save(life.path, to: name, replacing: true)
      }
      #expect(throws: PortError.self, "\(name)") {
        try StoreBackup().restore(name, to: life.path)
      }
    }
    #expect(try life.bytes() == before)
    #expect(life.folder.files == ["dangling", "hard", "link", "track.gpkg"])
  }

  @Test("a restored copy replaces the store, which is kept with its log") func restored() throws {
    _ = try StoreBackup().save(life.path, to: copy, replacing: false)
    // A daemon was killed: its log is beside the store.
    let store = try GeoPackageStore(path: life.path)
    try store.write([.trackPoint(point(at: .days(40)))])
    let target = life.folder.file("killed.gpkg")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: life.path + suffix, toPath: target + suffix)
    }
    try store.close()
    chmod(target, 0o640)
    let kept = try #require(try StoreBackup().restore(copy, to: target).keptAs)
    #expect(kept == target + ".before-restore")
    #expect(life.folder.files.filter { $0.hasPrefix("killed") }.count == 2)
    #expect(try StoreReader(path: target).allPoints().count == 6000)
    #expect(try StoreReader(path: kept).allPoints().last == point(at: .days(40)))
    #expect(!life.folder.files.contains("killed.gpkg-wal"))
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions]
    #expect(mode as? Int == 0o640)
    // The daemon continues with it.
    let daemon = try GeoPackageStore(path: target, lock: try StoreLock(path: target))
    try daemon.write([.trackPoint(point(at: .days(50)))])
    try daemon.close()
    #expect(try StoreBackup().restore(copy, to: target).keptAs == target + ".before-restore-2")
  }

  @Test("nothing is restored under a running daemon, or over an unknown file")
  func refused() throws {
    _ = try StoreBackup().save(life.path, to: copy, replacing: false)
    let before = try life.bytes()
    let lock = try StoreLock(path: life.path)
    let error = thrown(PortError.self) { try StoreBackup().restore(copy, to: life.path) }
    guard case .busy? = error else { return #expect(Bool(false)) }
    lock.release()
    let other = life.folder.file("other.gpkg")
    _ = try run("sqlite3", other, "CREATE TABLE bookmarks (url TEXT)")
    #expect(throws: PortError.self) { try StoreBackup().restore(other, to: life.path) }
    #expect(try life.bytes() == before)
    // A log without its store would be mistaken for the new store's.
    let fresh = life.folder.file("fresh.gpkg")
    try life.folder.write("somebody's", to: "fresh.gpkg-wal")
    #expect(throws: PortError.self) { try StoreBackup().restore(copy, to: fresh) }
    try FileManager.default.removeItem(atPath: fresh + "-wal")
    #expect(try StoreBackup().restore(copy, to: fresh).keptAs == nil)
    #expect(try StoreCheck(path: fresh).isSound)
  }

  @Test("a sound database of another program is not replaced, a damaged file is")
  func foreign() throws {
    _ = try StoreBackup().save(life.path, to: copy, replacing: false)
    for (name, sql) in [
      ("plain", "CREATE TABLE bookmarks (url TEXT)"),
      ("steps", "CREATE TABLE migrations (id INTEGER, migration TEXT)"),
      ("named", "CREATE TABLE migrations (id INTEGER, name TEXT)"),
      (
        "other",
        "CREATE TABLE migrations (id INTEGER, name TEXT); "
          + "INSERT INTO migrations VALUES (1, 'users'); PRAGMA application_id = 0x47504B47"
      ),
    ] {
      let file = life.folder.file("\(name).db")
      _ = try run("sqlite3", file, sql)
      let before = try Data(contentsOf: URL(fileURLWithPath: file))
      let error = thrown(PortError.self) { try StoreBackup().restore(copy, to: file) }
      #expect(error?.message.contains("is a file of another program") == true, "\(name)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    }
    // The mark in the header, and the whole header.
    for (index, bytes) in [(68, 4), (0, 100)].enumerated() {
      var damaged = try life.bytes()
      damaged.replaceSubrange(bytes.0..<bytes.0 + bytes.1, with: Data(count: bytes.1))
      let file = life.folder.file("damaged\(index).gpkg")
      try Data(damaged).write(to: URL(fileURLWithPath: file))
      #expect(try StoreBackup().restore(copy, to: file).keptAs == file + ".before-restore")
    }
  }

  @Test("compacting releases space and keeps every row") func compacted() throws {
    try life.sql("DELETE FROM power_segments; DELETE FROM events; DELETE FROM coarse_observations")
    let points = try StoreReader(path: life.path).allPoints()
    #expect(try StoreCheck(path: life.path).freeBytes > 100_000)
    let lock = try StoreLock(path: life.path)
    #expect(throws: PortError.self) { try StoreCompaction(path: life.path) }
    lock.release()
    let compaction = try StoreCompaction(path: life.path)
    #expect(compaction.bytesAfter < compaction.bytesBefore * 9 / 10)
    #expect(try life.bytes().count == compaction.bytesAfter)
    let check = try StoreCheck(path: life.path)
    #expect(check.isSound && check.freeBytes == 0)
    #expect(try StoreReader(path: life.path).allPoints() == points)
    #expect(life.folder.files == ["track.gpkg"])
  }
}
