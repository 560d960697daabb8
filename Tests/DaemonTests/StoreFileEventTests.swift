import Foundation
import Core
import ReceiverStandIns
import TestSupport
import Testing

/// The store is moved, replaced or emptied under a running daemon: acknowledged records are in a
/// file that has a name, and later records go into the file with the store's name.
@Suite(.serialized) struct StoreFileEventTests {
  let folder: ScratchFolder
  let line = Pseudoterminal()
  /// Two weeks of another life in another store.
  let backup: String

  init() throws {
    folder = try ScratchFolder()
    backup = folder.file("backup.gpkg")
    let simulated = try run(
      BuiltProgram.path("godwit"), "simulate", "--days", "14", "--from", "2026-02-01", "--store",
      backup)
    try #require(simulated.status == 0, "\(simulated.output)")
  }

  var store: String { folder.file("s.gpkg") }

  /// A daemon that has acknowledged three commands.
  func daemon() throws -> LiveDaemon {
    let daemon = try LiveDaemon(
      in: folder,
      settings: [
        "receiver.device=\(line.link)", "receiver.baud=9600", "policy.name=continuous",
      ], store: store)
    #expect(daemon.hears(line) { $0.isTracking })
    try command(daemon, 3)
    return daemon
  }

  /// Each command makes an event.
  func command(_ daemon: LiveDaemon, _ count: Int) throws {
    for _ in 0..<count { _ = try daemon.ask("gnss", ("state", "on")) }
    let status = try daemon.ask("commit")
    #expect(status.storeFailure == nil && status.at("store.waiting_records")?.integer == 0)
  }

  func query(_ file: String, _ sql: String) throws -> String {
    let result = try run("sqlite3", file, sql)
    try #require(result.status == 0, "\(result.output)")
    return result.output.trimmingCharacters(in: .newlines)
  }

  /// The file is sound, has `commands` of the commands, and no dangling reference.
  func expect(_ file: String, commands: Int) throws {
    #expect(try query(file, "PRAGMA integrity_check") == "ok")
    let count = try query(file, "SELECT count(*) FROM events WHERE kind = 'command'")
    #expect(count == "\(commands)", "\(file)")
    let orphans = """
      SELECT (SELECT count(*) FROM track_points WHERE session_id NOT IN
          (SELECT id FROM gnss_sessions)),
        (SELECT count(*) FROM visits WHERE destination_id NOT IN (SELECT id FROM destinations))
      """
    #expect(try query(file, orphans) == "0|0", "\(file)")
  }

  /// Every row of the backup is unchanged in the store.
  func expectBackupWithin(_ original: String) throws {
    #expect(try query(original, "SELECT count(*) > 300 FROM track_points") == "1")
    for table in ["track_points", "visits", "destinations", "gnss_sessions", "events"] {
      let lost = try query(
        store,
        """
        ATTACH '\(original)' AS original;
        SELECT count(*) FROM
          (SELECT * FROM original.\(table) EXCEPT SELECT * FROM main.\(table))
        """)
      #expect(lost == "0", "rows of \(table) that are not as they were")
    }
  }

  func expectTold(_ daemon: LiveDaemon, _ words: String) throws {
    try daemon.endsOrderly()
    let text = daemon.process.text
    #expect(text.contains("store-failed: ") && text.contains(words), "\(text)")
  }

  @Test("deleted, with its log")
  func deleted() throws {
    let daemon = try daemon()
    for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
    try command(daemon, 4)
    try expectTold(daemon, "was deleted")
    try expect(store, commands: 4)
  }

  @Test("moved: the moved file has the acknowledged records, the new one has later ones")
  func moved() throws {
    let daemon = try daemon()
    let moved = folder.file("s.gpkg.bak")
    try #require(rename(store, moved) == 0)
    try command(daemon, 4)
    try expectTold(daemon, "was moved to \(moved)")
    try expect(moved, commands: 3)
    try expect(store, commands: 4)
  }

  @Test("replaced by a backup: none of its rows is overwritten")
  func replaced() throws {
    let original = folder.file("original.gpkg")
    try FileManager.default.copyItem(atPath: backup, toPath: original)
    let daemon = try daemon()
    let moved = folder.file("s.gpkg.bak")
    try #require(rename(store, moved) == 0 && rename(backup, store) == 0)
    try command(daemon, 4)
    try expectTold(daemon, "was moved to")
    try expect(moved, commands: 3)
    try expect(store, commands: 4)
    try expectBackupWithin(original)
  }

  @Test("replaced by an older copy of itself: the ids continue")
  func replacedByOwnCopy() throws {
    let daemon = try daemon()
    let copy = folder.file("copy.gpkg")
    #expect(try run("sqlite3", store, "VACUUM INTO '\(copy)'").status == 0)
    try command(daemon, 2)
    try #require(rename(copy, store) == 0)
    try command(daemon, 4)
    try expectTold(daemon, "another file replaced the store")
    try expect(store, commands: 7)
    #expect(try query(store, "SELECT id, outcome FROM gnss_sessions") == "1|stopped")
  }

  @Test("truncated: recreated as soon as it is clear that nothing is being copied into it")
  func truncated() throws {
    let daemon = try daemon()
    try #require(truncate(store, 0) == 0)
    for _ in 0..<4 { _ = try daemon.ask("gnss", ("state", "on")) }
    let status = try daemon.ask("commit")
    #expect(status["state"]?.string == "degraded")
    #expect(status.storeFailure?.contains("has been empty for less than") == true)
    #expect(status.at("store.waiting_records")?.integer ?? 0 >= 4)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: store)
    try command(daemon, 1)
    try expectTold(daemon, "was truncated")
    try expect(store, commands: 5)
  }

  @Test("another store copied over it: none of its rows is overwritten")
  func writtenOver() throws {
    let daemon = try daemon()
    #expect(try run("cp", backup, store).status == 0)
    try command(daemon, 4)
    try expectTold(daemon, "was overwritten")
    try expect(store, commands: 4)
    try expectBackupWithin(backup)
  }

  @Test("replaced while nothing is written, then stopped")
  func idle() throws {
    let original = folder.file("original.gpkg")
    try FileManager.default.copyItem(atPath: backup, toPath: original)
    let daemon = try daemon()
    let moved = folder.file("s.gpkg.bak")
    try #require(rename(store, moved) == 0 && rename(backup, store) == 0)
    try expectTold(daemon, "was moved to")
    try expect(moved, commands: 3)
    try expectBackupWithin(original)
    #expect(
      try query(store, "SELECT outcome FROM gnss_sessions ORDER BY id DESC").hasPrefix("stopped"))
  }
}
