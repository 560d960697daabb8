import Foundation
import GodwitSettings
import Core
import ReceiverStandIns
import Runtime
import TestSupport
import Testing

/// What board/systemd/godwit.service denies, and what the daemon still needs.
@Suite(.serialized) struct ServiceUnitTests {
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let unit = package.appendingPathComponent("board/systemd/godwit.service").path

  let folder: ScratchFolder
  let line = Pseudoterminal()

  init() throws { folder = try ScratchFolder() }

  /// Runs a program with the system calls of a unit.
  static func filter(_ unit: String) -> [String] {
    ["/usr/bin/python3", package.appendingPathComponent("Tests/Tools/unit_filter.py").path, unit]
  }

  static var isFilterPossible: Bool {
    (try? run("/usr/bin/python3", filter(unit)[1], unit, "/bin/true").status) == 0
  }

  func daemon(under unit: String) throws -> LiveDaemon {
    try LiveDaemon(
      in: folder,
      settings: [
        "receiver.device=\(line.link)", "receiver.baud=9600", "policy.name=continuous",
      ], starter: Self.filter(unit))
  }

  /// The values of one setting, in their order.
  private func values(_ name: String) throws -> [String] {
    try String(contentsOfFile: Self.unit, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
  }

  @Test("the unit allows reading the clock state, the boot id and the store's lock holder")
  func settings() throws {
    // Either would deny adjtimex(2). Setting the clock is denied here instead.
    #expect(try values("ProtectClock") == [])
    #expect(try values("CapabilityBoundingSet") == [""])
    let filters = try values("SystemCallFilter")
    let denied = try #require(filters.firstIndex { $0.hasPrefix("~") })
    let allowed = filters.suffix(from: denied).dropFirst().flatMap { $0.split(separator: " ") }
    for call in ["adjtimex", "clock_adjtime", "clock_adjtime64"] {
      #expect(allowed.contains(Substring(call)), "a later line of SystemCallFilter= allows \(call)")
    }
    // random/boot_id and /proc/locks do not belong to a process.
    #expect(try values("ProcSubset") == ["all"])
  }

  @Test("refused settings neither restart the daemon in a loop nor reach a running one")
  func refusedSettings() throws {
    let program = BuiltProgram.path("godwit")
    try folder.write("policy.nme = 1\n", to: "wrong.toml")
    let options = ["--config", folder.file("wrong.toml"), "--board", "/dev/null"]
    let refused = try ["run", "run --bogus"].map {
      try run("sh", "-c", "\(program) \($0) \(options.joined(separator: " "))").status
    }
    #expect(try Set(refused.map(String.init)) == Set(values("RestartPreventExitStatus")))
    let reload = try values("ExecReload")
    #expect(reload.count == 2, "the check comes first")
    #expect(reload.last == "/bin/sh -c \"kill -HUP $MAINPID\"")
    let check = try #require(reload.first)
      .replacingOccurrences(of: "/usr/local/bin/godwit", with: program)
    #expect(check.hasPrefix(program))
    #expect(try run("sh", "-c", "\(check) \(options.joined(separator: " "))").status == 2)
    try folder.write("policy.name = \"periodic\"\n", to: "wrong.toml")
    #expect(try run("sh", "-c", "\(check) \(options.joined(separator: " "))").status == 0)
  }

  @Test(
    "the daemon tracks with the system calls of its unit, and can query all that it needs",
    .enabled(
      if: isFilterPossible,
      "SKIPPED: systemd-analyze, python3 or libseccomp is missing, or the kernel takes no filter"))
  func underItsUnit() throws {
    let daemon = try daemon(under: Self.unit)
    #expect(daemon.hears(line) { $0.isTracking })
    let status = try daemon.ask("commit")
    #expect(status["state"]?.string == "running")
    #expect(status.at("store.waiting_records")?.integer == 0)
    // The same warning as this process gets, which may run in a container.
    let outside = SystemCalendar.warning(notBefore: ReceiverSettings().dateFloor)
    #expect(status.at("date.warning")?.string == outside)
    try daemon.endsOrderly()
    let text = daemon.process.text
    #expect(text.contains("not permitted") == (outside != nil), "\(text)")
  }

  @Test(
    "if the kernel does not report whether the clock is synchronised, this is logged once",
    .enabled(
      if: isFilterPossible,
      "SKIPPED: systemd-analyze, python3 or libseccomp is missing, or the kernel takes no filter"))
  func clockNotAsked() throws {
    let unit = try String(contentsOfFile: Self.unit, encoding: .utf8)
      .replacingOccurrences(of: "[Install]", with: "ProtectClock=yes\n[Install]")
    try folder.write(unit, to: "strict.service")
    let daemon = try daemon(under: folder.file("strict.service"))
    #expect(daemon.hears(line) { $0.isTracking })
    let status = try daemon.status()
    #expect(status["state"]?.string == "running", "the receiver's date has other witnesses")
    #expect(status.at("date.warning")?.string?.contains("SystemCallFilter=") == true)
    daemon.process.signal(SIGHUP)
    #expect(daemon.notices.says("RELOADING=1") && daemon.notices.says("READY=1"))
    try daemon.endsOrderly()
    #expect(daemon.process.text.components(separatedBy: "clock-limited").count == 2)
  }
}
