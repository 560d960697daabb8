import Hardware
import Foundation
import GodwitSettings
import Core
import Ports
import Store
import TestSupport
import Testing

/// `godwit alerts execute`, as its unit runs it.
@Suite struct AlertsCommandTests {
  private static let notice = #"{"id":7,"facts":{"PLACE":"Home"}}"#

  private let folder: ScratchFolder
  private var settings: String { folder.file("godwit.toml") }

  init() throws {
    folder = try ScratchFolder()
    try folder.writeScript(
      "#!/bin/sh\nexec >'\(folder.file("out"))'\necho \"$GODWIT_NOTICE $GODWIT_PLACE $*\"\n",
      to: "tell")
    try write(#"command = ["\#(folder.file("tell"))", "a b", "$HOME"]"#)
  }

  private func write(_ alerts: String) throws {
    try folder.write("[alerts]\n\(alerts)\n", to: "godwit.toml")
  }

  /// The notice is in a file on its standard input; its answer is on its standard output.
  private func execute(_ notice: String, line end: String = "\n") throws -> Program.Outcome {
    try folder.write(notice + end, to: "notice")
    return try Program.shell(
      "alerts execute --board /dev/null --config '\(settings)' <\"$0\"", folder.file("notice"))
  }

  @Test("the settings' command runs with the notice's facts, and its result is answered")
  func runs() throws {
    let outcome = try execute(Self.notice)
    #expect(outcome.exitCode == 0 && outcome.messages.isEmpty, "\(outcome)")
    #expect(outcome.output == "{\"id\":7,\"exit_status\":0}\n")
    #expect(try folder.text("out") == "7 Home a b $HOME\n")
  }

  @Test("a failing command is reported on both sides") func fails() throws {
    try write(#"command = ["/bin/sh", "-c", "exit 9"]"#)
    let outcome = try execute(Self.notice)
    #expect(outcome.exitCode == 1 && outcome.output == "{\"id\":7,\"exit_status\":9}\n")
    #expect(outcome.messages == "godwit: notice 7: /bin/sh ended with exit status 9\n")
    try write(#"command = "/nonexistent""#)
    let missing = try execute(Self.notice)
    #expect(missing.exitCode == 1 && missing.output.hasPrefix(#"{"id":7,"failed":"/nonexistent "#))
    #expect(missing.messages.hasPrefix("godwit: notice 7: /nonexistent cannot be started"))
  }

  @Test("its timeout is the setting's") func limit() throws {
    try write("command = [\"/bin/sleep\", \"600\"]\ncommand_timeout_s = 1")
    let outcome = try execute(Self.notice)
    #expect(outcome.exitCode == 1 && outcome.output.contains("was ended after 1 s"), "\(outcome)")
  }

  @Test("a command runs no longer than the daemon's timeout, even with changed settings")
  func daemonsLimit() throws {
    try write("command = [\"/bin/sleep\", \"600\"]\ncommand_timeout_s = 600")
    let outcome = try execute(#"{"id":7,"timeout_s":1,"facts":{"PLACE":"Home"}}"#)
    #expect(outcome.exitCode == 1 && outcome.output.contains("was ended after 1 s"), "\(outcome)")
  }

  @Test("settings without a command, or with faults, are answered and run nothing")
  func settingsFaults() throws {
    try write("")
    let none = try execute(Self.notice)
    #expect(none.exitCode == 2 && none.output.contains("alerts.command is not set"), "\(none)")
    try write("comand = \"/bin/true\"")
    let wrong = try execute(Self.notice)
    #expect(wrong.exitCode == 2 && wrong.output.contains("did you mean"), "\(wrong)")
    try write("command = \"true\"")
    let relative = try execute(Self.notice)
    #expect(relative.exitCode == 2 && relative.output.contains("absolute path"), "\(relative)")
  }

  @Test("a truncated or invalid notice runs nothing") func cutOff() throws {
    for (text, end) in [(Self.notice, ""), ("", ""), ("hello", "\n"), (#"{"id":7}"#, "\n")] {
      let outcome = try execute(text, line: end)
      #expect(outcome.exitCode == 2 && outcome.output.hasPrefix(#"{"id":null,"failed":"#))
      #expect(outcome.messages.contains("the notice on standard input cannot be read"))
    }
    #expect(!folder.files.contains("out"))
  }

  @Test("alerts are listed beside an unreadable one, and one with an expired place is inactive")
  func listed() throws {
    let store = folder.file("life.gpkg")
    try GeoPackageStore(path: store).close()
    func godwit(_ words: String...) throws -> Program.Outcome {
      let ended = try Program.run(words + ["--store", store])
      #expect(ended.exitCode == 0, "\(ended)")
      return ended
    }
    let place = ["--at", "53,6", "--radius", "100"]
    let past = ["places", "add", "Past", "--until", "2020-01-01T00:00:00Z", "--store", store]
    #expect(try Program.run(past + place).exitCode == 0)
    _ = try godwit("alerts", "add", "Good", "--when", "enter")
    _ = try godwit("alerts", "add", "Over", "--when", "enter", "--place", "Past")
    let bad = "INSERT INTO alerts (name, kind) VALUES (x'00ff', 'enter')"
    #expect(try run("sqlite3", store, bad).status == 0)
    let list = try godwit("alerts", "list", "--json")
    #expect(list.messages.contains("in alerts, id 3, column name"), "\(list.messages)")
    let alerts = try #require(JSONValue(parsing: list.output).array)
    #expect(alerts.compactMap { $0["name"]?.string } == ["Good", "Over"])
    let states = alerts.compactMap { $0["state"]?.string }
    #expect(states == ["over", "over"], "there is no other place")
    _ = try Program.run(["places", "add", "Home", "--store", store] + place)
    let again = try #require(JSONValue(parsing: godwit("alerts", "list", "--json").output).array)
    #expect(again.compactMap { $0["state"]?.string } == ["on", "over"])
  }

  @Test("an edited alert keeps other values, and refuses those that its kind does not have")
  func edited() throws {
    let store = folder.file("edit.gpkg")
    try GeoPackageStore(path: store).close()
    func godwit(_ words: [String], _ code: Int32 = 0) throws -> String {
      let ended = try Program.run(["alerts"] + words + ["--store", store])
      #expect(ended.exitCode == code, "\(ended)")
      return ended.output
    }
    _ = try godwit(["add", "Boat", "--when", "anchor", "--radius", "40", "--grace", "30"])
    _ = try godwit(["edit", "Boat", "--name", "Sloop", "--radius", "60", "--once"])
    _ = try godwit(["edit", "Sloop", "--within", "9"], 2)
    _ = try godwit(["edit", "Boat", "--radius", "60"], 1)
    let query = "SELECT name, kind, radius_m, grace_s, is_once, is_armed FROM alerts"
    #expect(try run("sqlite3", store, query).output == "Sloop|anchor|60.0|30.0|1|0\n")
  }

  @Test("the units fit the settings' defaults and limits") func units() throws {
    func unit(_ name: String) throws -> [Substring] {
      let path = "\(InstallTests.package)/board/systemd/\(name)"
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    }
    let socket = try unit("godwit-alert.socket")
    #expect(socket.contains { $0 == "ListenStream=\(AlertCommandSettings().socket)" })
    #expect(socket.contains("SocketUser=godwit") && socket.contains("SocketMode=0600"))
    let service = try unit("godwit-alert@.service")
    let limit = try #require(service.first { $0.hasPrefix("RuntimeMaxSec=") }).dropFirst(14)
    let longest = try #require(DeclaredSettings(in: Settings())["alerts.command_timeout_s"])
    #expect(longest.accepts == "1 to 3600 s")
    #expect(try #require(Double(limit)) > 3600 + CommandRun.defaultTerminationTime.value)
  }

  /// The daemon's adapter and the program at both ends of a real socket, as systemd connects them.
  @Test("the daemon and the unit exchange notices, also if the daemon has disconnected")
  func bothEnds() throws {
    let path = folder.file("alert.sock")
    var given = AlertCommandSettings()
    given.words = ["/anything"]
    given.socket = path
    let port = CommandSocket(given)
    let listener = try ListeningSocket(path)
    let start = BootInstant.zero
    try port.begin(
      NoticeCommandInput(id: 7, facts: [NoticeCommandInput.Fact("PLACE", "Work")]), at: start)
    #expect(try listener.serve(with: settings) == 0)
    #expect(
      port.serve(at: start, isReady: true) == [NoticeOutcome(id: 7, .done(exitStatus: 0))])
    #expect(try folder.text("out") == "7 Work a b $HOME\n")
    var other: CommandSocket? = CommandSocket(given)
    try other?.begin(NoticeCommandInput(id: 8, facts: []), at: start)
    other = nil
    #expect(try listener.serve(with: settings) == 0)
    #expect(try folder.text("out") == "8  a b $HOME\n")
  }
}
