import Foundation
import Notation
import ReceiverStandIns
import Runtime
import TestSupport
import Testing

/// `godwit watch` at a daemon that runs, and what a reload leaves for a restart.
@Suite(.serialized) struct WatchTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private struct Enough: Error {}

  @Test("who watches hears how things are, then fixes and decisions; others hear nothing of it")
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
    let refusal = thrown(ControlError.self) { try daemon.ask("near") }
    #expect(refusal?.message.contains("in the settings of the daemon that runs") == true)
    try daemon.endsOrderly()
    #expect(daemon.process.text.contains("started: godwit "))
    #expect(daemon.process.text.contains("first-fix: first fix at "))
  }

  @Test("what an order said is kept at the next start") func orders() throws {
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
}
