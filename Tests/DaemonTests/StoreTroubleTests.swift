import Foundation
import Core
import ReceiverStandIns
import TestSupport
import Testing

/// The store fails; tracking continues.
@Suite(.serialized) struct StoreTroubleTests {
  let folder: ScratchFolder
  let line = Pseudoterminal()

  init() throws { folder = try ScratchFolder() }

  func daemon(store: String) throws -> LiveDaemon {
    try LiveDaemon(
      in: folder,
      settings: [
        "receiver.device=\(line.link)", "receiver.baud=9600", "policy.name=continuous",
      ], store: store)
  }

  /// The daemon tracks, reports the fault once, and does not change the file.
  func expectDegraded(_ store: String, saying words: String) throws {
    let before = FileManager.default.contents(atPath: store)
    let daemon = try daemon(store: store)
    #expect(daemon.hears(line) { $0.isTracking })
    let status = try daemon.ask("commit")
    #expect(status["state"]?.string == "degraded")
    #expect(status.storeFailure?.contains(words) == true, "\(status.storeFailure ?? "nothing")")
    #expect(status.at("store.waiting_records")?.integer ?? 0 > 0)
    #expect(daemon.process.text.components(separatedBy: "store-failed").count == 2)
    daemon.endsWithALoss()
    #expect(!daemon.process.text.contains("store-failed"), "it is told once")
    #expect(FileManager.default.contents(atPath: store) == before)
  }

  @Test("a corrupt store does not stop tracking") func aCorruptFile() throws {
    let path = folder.file("broken.gpkg")
    try Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(
      to: URL(fileURLWithPath: path))
    try expectDegraded(path, saying: "not")
  }

  @Test("a store of a newer version is not changed") func aFileOfANewerVersion() throws {
    let path = folder.file("newer.gpkg")
    let first = try daemon(store: path)
    try first.endsOrderly()
    let change = try run(
      "sqlite3", path,
      "INSERT INTO migrations (id, name) SELECT max(id) + 1, 'of-tomorrow' FROM migrations")
    #expect(change.status == 0, "\(change.output)")
    try expectDegraded(path, saying: "newer")
  }

  @Test(
    "a read-only disk does not stop tracking",
    .enabled(
      if: geteuid() == 0 && Mount.isPermitted,
      "SKIPPED: file systems cannot be mounted here, so no read-only disk was tried"))
  func aReadOnlyDisk() throws {
    let mount = try Mount(folder.file("disk"), options: "size=4m")
    let path = folder.file("disk/store.gpkg")
    let first = try daemon(store: path)
    try first.endsOrderly()
    try mount.change("remount,ro")
    try expectDegraded(path, saying: "read-only")
    // Writable again: the waiting records are stored.
    let daemon = try daemon(store: path)
    try mount.change("remount,rw")
    let status = try daemon.ask("commit")
    #expect(status["state"]?.string == "running")
    #expect(status.at("store.waiting_records")?.integer == 0)
    #expect(daemon.process.says("store-recovered"))
    try daemon.endsOrderly()
  }

  @Test("a folder that is missing at first is used when it appears")
  func aFolderThatIsMissingAtFirst() throws {
    let path = folder.file("later/store.gpkg")
    let daemon = try daemon(store: path)
    #expect(try daemon.status().storeFailure?.contains(path) == true)
    #expect(daemon.hears(line) { $0.isTracking })
    try FileManager.default.createDirectory(
      atPath: folder.file("later"), withIntermediateDirectories: false)
    #expect(try daemon.ask("commit").storeFailure == nil)
    #expect(daemon.process.says("store-recovered"))
    try daemon.endsOrderly()
    #expect(try daemon.query("SELECT outcome FROM gnss_sessions") == "stopped")
  }

  @Test(
    "a full disk does not stop tracking",
    .enabled(
      if: geteuid() == 0 && Mount.isPermitted,
      "SKIPPED: file systems cannot be mounted here, so no full disk was tried"))
  func aFullDisk() throws {
    let mount = try Mount(folder.file("disk"), options: "size=1m")
    let daemon = try daemon(store: folder.file("disk/store.gpkg"))
    #expect(daemon.hears(line) { $0.isTracking })
    mount.fill()
    var status = try daemon.status()
    // The pages of the log may have room left, so commands make events until it is used.
    for _ in 0..<2000 where status.storeFailure == nil {
      _ = try daemon.ask("gnss", ("state", "on"))
      status = try daemon.ask("commit")
    }
    #expect(status.storeFailure?.contains("full") == true, "\(status.storeFailure ?? "no failure")")
    #expect(status["state"]?.string == "degraded")
    let before = try daemon.status().accepted
    #expect(daemon.hears(line, Epochs(from: 36_100)) { $0.accepted > before })
    mount.free()
    status = try daemon.ask("commit")
    #expect(status.storeFailure == nil && status.at("store.waiting_records")?.integer == 0)
    try daemon.endsOrderly()
    #expect(try daemon.query("PRAGMA integrity_check") == "ok")
  }

  @Test("at the end the number of records that the store did not accept is reported")
  func whatIsLostIsCounted() throws {
    let path = folder.file("locked.gpkg")
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"], store: path)
    let lock = try WriteLock(path)
    for _ in 0..<3 { _ = try daemon.ask("gnss", ("state", "on")) }
    let status = try daemon.ask("commit")
    #expect(status.storeFailure?.contains("locked") == true)
    let waiting = status.at("store.waiting_records")?.integer ?? 0
    #expect(waiting > 0)
    daemon.process.signal(SIGTERM)
    #expect(daemon.process.exitCode() == 1)
    let last = daemon.process.text.split(separator: "\n").last ?? ""
    let count = last.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    #expect(count >= waiting && last.contains("records could not be stored and are lost: "))
    withExtendedLifetime(lock) {}
  }

  @Test("records dropped on the way are counted, and reported at the end")
  func whatWasGivenUpIsTold() throws {
    // The system's date is before this floor, so everything waits for a date.
    let daemon = try LiveDaemon(
      in: folder, settings: ["receiver.kind=none", "receiver.date_floor=2099-01-01"])
    var dropped = 0
    for _ in 0..<3000 where dropped == 0 {
      dropped = try daemon.ask("gnss", ("state", "on")).at("store.dropped_records")?.integer ?? 0
    }
    #expect(dropped == 100)
    try daemon.endsOrderly()
    #expect(daemon.process.says("records-lost: 100 records"))
  }
}
