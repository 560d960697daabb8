import Ports
import Foundation
import Core
import ReceiverStandIns
import Runtime
import TestSupport
import Testing

/// `godwit watch` with a running daemon, and the settings that a reload leaves for a restart.
@Suite(.serialized) struct WatchTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private struct Enough: Error {}

  @Test("a watching client receives the status, then fixes and decisions; others receive neither")
  func watching() throws {
    let line = Pseudoterminal()
    let daemon = try LiveDaemon(
      in: folder,
      settings: [
        "receiver.device=\(line.link)", "receiver.baud=9600", "policy.name=continuous",
        "device.name=stork",
      ])
    var events: [JSONValue] = []
    #expect(throws: Enough.self) {
      try ControlClient.follow(path: daemon.socket) { news in
        events.append(news)
        if events.count == 1 {
          #expect(
            daemon.hears(line, Epochs()) { $0.at("fixes.accepted")?.integer ?? 0 > 2 })
          _ = try daemon.ask("gnss", ("state", "off"))
        }
        if news["decision"]?["kind"]?.string == "command" { throw Enough() }
      }
    }
    #expect(events.first?["event"]?.string == "status")
    #expect(events.first?["status"]?["device_name"]?.string == "stork")
    let fixes = events.filter { $0["event"]?.string == "fix" }
    #expect(fixes.count > 2)
    #expect(fixes.allSatisfy { $0["fix"]?["lat"]?.number != nil && $0["time"] != .null })
    #expect(events.contains { $0["decision"]?["kind"]?.string == "first-fix" })
    let states = events.compactMap { $0["receiver"]?["state"]?.string }
    #expect(states.contains("acquiring") && states.contains("tracking"), "\(states)")
    let times = events.compactMap { $0["boottime_s"]?.number }
    #expect(times.count == events.count && times == times.sorted())
    #expect(try daemon.status()["fix"]?["age_s"]?.number != nil)
    let refusal = thrown(PortError.self) { try daemon.ask("near") }
    #expect(refusal?.message.contains("in the settings of the running daemon") == true)
    try daemon.endsOrderly()
    #expect(daemon.process.text.contains("started: godwit "))
    #expect(daemon.process.text.contains("first-fix: first fix at "))
  }

  @Test("a commanded value is kept at the next start") func orders() throws {
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"])
    _ = try daemon.ask("gnss", ("state", "off"))
    daemon.process.signal(SIGKILL)
    _ = daemon.process.exitCode()
    try daemon.restart()
    #expect(try daemon.status()["gnss_order"]?["gnss"]?.string == "off")
    try daemon.endsOrderly()
  }

  @Test("settings that wait for a restart are named") func waitingSettings() throws {
    let daemon = try LiveDaemon(
      in: folder, settings: ["receiver.kind=none"], text: "store.commit_interval_s = 60\n")
    #expect(try daemon.status()["settings_waiting_for_restart"] == .array([]))
    try "store.commit_interval_s = 61\npolicy.name = \"hybrid\"\n".write(
      toFile: folder.file("godwit.toml"), atomically: true, encoding: .utf8)
    daemon.process.signal(SIGHUP)
    #expect(daemon.notices.says("READY=1"))
    let status = try daemon.status()
    #expect(status["policy"]?.string == "hybrid")
    #expect(
      status["settings_waiting_for_restart"] == .array([.string("store.commit_interval_s")]))
    try daemon.endsOrderly()
  }

  private func reload(_ daemon: LiveDaemon, _ text: String) throws -> [String] {
    try text.write(toFile: folder.file("godwit.toml"), atomically: true, encoding: .utf8)
    daemon.process.signal(SIGHUP)
    #expect(daemon.notices.says("READY=1"))
    let waiting = try daemon.status()["settings_waiting_for_restart"]
    return waiting?.array?.compactMap(\.string) ?? []
  }

  @Test("a connected uplink is notified at the start and at each reload to read the settings")
  func connectedUplink() throws {
    let uplink = NoticeSocket(path: folder.file("uplink"))
    let text = """
      [uplink]
      socket = "\(uplink.path)"
      delay_s = 0
      [uplink.mqtt]
      brokers = ["mqtt://127.0.0.1:1"]

      """
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"], text: text)
    #expect(uplink.says("\u{1}"))
    #expect(try reload(daemon, text + "[uplink.privacy]\nround_m = 500\n") == [])
    #expect(daemon.process.says("all of them are in effect"))
    #expect(uplink.says("\u{1}"))
    try daemon.endsOrderly()
  }

  @Test("the uplink reads the daemon's store, even if another path waits for its restart")
  func waitingPath() throws {
    let text = """
      control.socket = "\(folder.file("control"))"
      [uplink]
      path = "\(folder.file("uplink.db"))"
      [uplink.mqtt]
      brokers = ["mqtt://127.0.0.1:1"]
      """
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"], text: text)
    let other = "store.path = \"\(folder.file("new.gpkg"))\"\n"
    #expect(try reload(daemon, other + text) == ["store.path"])
    let files = ["--config", folder.file("godwit.toml"), "--board", folder.file("board.toml")]
    let uplink = try #require(
      ChildProcess(BuiltProgram.path("godwit"), ["uplink", "run"] + files))
    #expect(uplink.says("127.0.0.1:1"))
    #expect(!uplink.text.contains("new.gpkg"))
    _ = uplink.exitCode()
    try daemon.endsOrderly()
  }

  /// The settings in force according to the store.
  private func inForce(_ daemon: LiveDaemon) throws -> [String: JSONValue] {
    let text = try daemon.query("select value from meta where key = 'provenance'")
    guard case .object(let members)? = try JSONValue(parsing: text)["settings"] else { return [:] }
    return Dictionary(members.map { ($0.name, $0.value) }) { $1 }
  }

  @Test("after a reload the store lists the settings in force, fewer than after a restart")
  func settingsInForce() throws {
    let before = "people.address = \"anna\"\n"
    let after = """
      people.address = "ben"
      device.name = "stork"
      policy.name = "hybrid"
      alerts.looks = false
      alerts.command = ["/bin/true"]
      beacons.listen = "always"
      bluetooth.adapter = "hci7"
      places.person = "ben"
      uplink.privacy.round_m = 500
      uplink.mqtt.brokers = ["mqtt://127.0.0.1:1"]

      """
    let late = [
      "bluetooth.adapter", "places.person", "beacons.listen", "people.address",
      "uplink.mqtt.brokers",
    ]
    let daemon = try LiveDaemon(in: folder, settings: ["receiver.kind=none"], text: before)
    #expect(try reload(daemon, after) == late)
    #expect(
      daemon.process.says(
        "settings reloaded; these wait for a restart: \(late.joined(separator: ", "))"))
    #expect(try daemon.status().at("people.address")?.string == "anna")
    let reloaded = try inForce(daemon)
    #expect(reloaded["people.address"]?.string == "anna")
    #expect(reloaded["alerts.looks"]?.bool == false)
    #expect(reloaded["alerts.command"]?.string == "(not told)")
    // A change that was reverted does not wait.
    #expect(try reload(daemon, before) == [])
    #expect(try inForce(daemon)["device.name"] == nil)
    #expect(try reload(daemon, after) == late)
    try daemon.endsOrderly()
    try daemon.restart()
    #expect(try daemon.status()["settings_waiting_for_restart"] == .array([]))
    // Its end stores what it has signed.
    try daemon.endsOrderly()
    let restarted = try inForce(daemon)
    for (key, value) in restarted {
      #expect(late.contains(key) == (reloaded[key] != value), "\(key)")
    }
  }
}
