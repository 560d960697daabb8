import Foundation
import Core
import ReceiverStandIns
import TestSupport
import Testing

/// What a service manager and users of the control socket see.
@Suite(.serialized) struct ServiceTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("systemd is notified") func systemdIsTold() throws {
    let daemon = try LiveDaemon(
      in: folder, settings: ["receiver.kind=none"], environment: ["WATCHDOG_USEC=200000"])
    #expect(daemon.notices.heard.last?.contains("STATUS=") == true)
    #expect(daemon.notices.says("WATCHDOG=1", within: 2))
    #expect(daemon.notices.says("WATCHDOG=1", within: 2))
    try daemon.endsOrderly()
    #expect(daemon.notices.says("STOPPING=1", within: 2))
  }

  @Test("without a receiver nothing is searched for and nothing wakes")
  func withoutAReceiverNothingIsSearchedForAndNothingWakes() throws {
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"])
    let status = try daemon.status()
    #expect(status["gnss"]?.string == "off")
    #expect(status["reason"]?.string == "no receiver is configured")
    #expect(status["next_wake_in_s"] == .null)
    #expect(status.at("fixes.sessions")?.integer == 0)
    try daemon.endsOrderly()
  }

  @Test("everything works without a date") func withoutAnyDateEverythingWorks() throws {
    let line = Pseudoterminal()
    // The system's date is before this floor, as on a board that boots in 1970.
    let daemon = try LiveDaemon(
      in: folder,
      settings: [
        "receiver.date_floor=2099-01-01", "receiver.device=\(line.link)",
        "receiver.baud=9600", "policy.name=continuous",
      ])
    #expect(
      daemon.hears(line, Epochs(hasFix: false)) { $0.at("receiver.bytes")?.integer ?? 0 > 200 })
    let status = try daemon.status()
    #expect(status["time"] == .null)
    #expect(status["gnss"]?.string == "acquiring")
    _ = try daemon.ask("gnss", ("state", "off"))
    #expect(try daemon.status()["gnss"]?.string == "off")
    try daemon.endsOrderly()
    #expect(try daemon.query("SELECT outcome FROM gnss_sessions") == "stopped")
  }

  @Test("the socket is open to its group") func theSocketIsForItsGroup() throws {
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"])
    var entry = stat()
    try #require(lstat(daemon.socket, &entry) == 0)
    #expect(entry.st_mode & S_IFMT == S_IFSOCK)
    #expect(entry.st_mode & 0o777 == 0o660)
    #expect(entry.st_gid == getgid())
    try daemon.endsOrderly()
    #expect(lstat(daemon.socket, &entry) != 0, "the socket is gone with its daemon")
  }

  @Test("settings are reloaded") func settingsAreReadAgain() throws {
    let daemon = try LiveDaemon(
      in: folder, settings: ["receiver.kind=none"], text: "[policy]\nname = \"continuous\"\n")
    func write(_ text: String) throws {
      try text.write(toFile: folder.file("godwit.toml"), atomically: true, encoding: .utf8)
      daemon.process.signal(SIGHUP)
      #expect(daemon.notices.says("RELOADING=1"))
      #expect(daemon.notices.says("READY=1"))
    }
    try write("[policy]\nname = \"periodic\"\n")
    #expect(try daemon.status()["policy"]?.string == "periodic")
    try write("[policy]\nname = \"perriodic\"\n")
    #expect(daemon.process.says("reload-failed: the settings are invalid, the old ones are kept"))
    #expect(try daemon.status()["policy"]?.string == "periodic")
    try daemon.endsOrderly()
  }

  @Test("a command stays in force after a reload") func aCommandOutlivesNewSettings() throws {
    let line = Pseudoterminal()
    let daemon = try LiveDaemon(
      in: folder, settings: ["receiver.device=\(line.link)", "policy.name=continuous"])
    _ = try daemon.ask("gnss", ("state", "off"))
    daemon.process.signal(SIGHUP)
    #expect(daemon.notices.says("RELOADING=1") && daemon.notices.says("READY=1"))
    #expect(try daemon.status()["gnss"]?.string == "off")
    try daemon.endsOrderly()
  }

  @Test("a receiver that keeps sending does not wake the resting daemon")
  func nothingWakesItWhileNothingIsDue() throws {
    let line = Pseudoterminal()
    let daemon = try LiveDaemon(
      in: folder,
      settings: [
        "receiver.device=\(line.link)", "receiver.baud=9600", "policy.name=periodic",
        "policy.periodic.interval_s=3600", "acquisition.hold_after_cold_start_s=0",
      ])
    // The receiver cannot be switched off and keeps sending, so its line must be closed.
    #expect(daemon.hears(line) { $0.accepted > 0 }, "\(daemon.process.text)")
    _ = try daemon.ask("gnss", ("state", "off"))
    _ = try daemon.ask("commit")
    func wakes() throws -> Int { try daemon.memory("voluntary_ctxt_switches") }
    // Waits until it has noticed that the last client is gone.
    Speaker(line, baud: 9600).speak(Epochs(from: 36_100).prefix(1)) { false }
    let before = try wakes()
    Speaker(line, baud: 9600).speak(Epochs(from: 36_200).prefix(5)) { false }
    #expect(try wakes() - before == 0)
    try daemon.endsOrderly()
  }
}
