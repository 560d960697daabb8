import Config
import Foundation
import TestSupport
import Testing

@testable import godwit

@Suite struct ConfigCommandTests {
  @Test("the default file that is printed passes the check")
  func defaultFilePassesItsOwnCheck() throws {
    let scratch = try ScratchFolder()
    let printed = try Program.run("config", "default")
    #expect(printed.exitCode == 0)
    try printed.output.write(toFile: scratch.file("all.toml"), atomically: true, encoding: .utf8)
    let check = try Program.run("config", "check", "--config", scratch.file("all.toml"))
    #expect(check.exitCode == 0)
    #expect(check.output.hasPrefix("The settings are valid: "))
    #expect(check.messages == "")
    #expect(printed.output.contains("\nsleeping_mA = 0.015\n"))
  }

  @Test("every line of the verdict names the program") func everyLineOfTheVerdictNamesItsSpeaker()
    throws
  {
    let check = try Program.run(
      "config", "check", "--set", "power_switch.onexit=off", "--set", "power_monitor.chip=ina225")
    let lines = check.messages.split(separator: "\n")
    #expect(check.exitCode == 2 && lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("godwit: option --set power_") })
  }

  @Test("show names the origin of every value") func showNamesTheOriginOfEveryValue() throws {
    let scratch = try ScratchFolder()
    let file = scratch.file("mine.toml")
    try "[policy]\nname = \"periodic\"\n".write(toFile: file, atomically: true, encoding: .utf8)
    let json = try Program.run(
      "config", "show", "--json", "--config", file, "--set", "gnss.off_mA=0.5")
    let all = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [String: Any]])
    #expect(all["policy.name"]?["value"] as? String == "periodic")
    #expect(all["policy.name"]?["origin"] as? String == "\(file):2")
    #expect(all["gnss.off_mA"]?["value"] as? Double == 0.5)
    #expect(all["gnss.off_mA"]?["origin"] as? String == "option --set gnss.off_mA=0.5")
    #expect(all["receiver.port"]?["origin"] as? String == "built-in default")
    let text = try Program.run("config", "show", "--config", file)
    #expect(text.output.contains("policy.name = \"periodic\""))
  }

  @Test(
    "wrong settings end with code 2 and an explanation",
    arguments: [
      (["--set", "policy.nme=hybrid"], "did you mean policy.name?"),
      (["--set", "power_switch.supply=:17"], "power_switch.supply has no usable offset"),
      (["--config", "/nonexistent/godwit.toml"], "/nonexistent/godwit.toml: No such file"),
      (["--config", "/dev/zero"], "expected at most 524288 bytes"),
      (["--config", "/"], "/: Is a directory"),
      (["--bogus"], "Unknown option"),
    ])
  func wrongSettingsEndWithCodeTwo(options: [String], message: String) throws {
    let outcome = try Program.run(["config", "check"] + options)
    #expect(outcome.exitCode == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.contains(message))
  }

  /// By name in a folder of boards, by path, and through the settings file; the origin says which.
  @Test("boards are found by name and by path, and options replace the file's list")
  func boardsAreFoundByNameAndByPath() throws {
    let scratch = try ScratchFolder()
    try scratch.write("[gnss]\noff_mA = 0.25\n", to: "near/board.toml")
    try scratch.write("[gnss]\nsleeping_mA = 0.5\n", to: "parts/mine.toml")
    try scratch.write("boards = [\"near\", \"parts/mine.toml\"]\n", to: "godwit.toml")
    let file = scratch.file("godwit.toml")
    let named = try Program.run("config", "show", "--config", file)
    #expect(named.messages == "")
    #expect(named.output.contains("# \(scratch.file("near/board.toml")):2"))
    #expect(named.output.contains("# \(scratch.file("parts/mine.toml")):2"))
    // Options replace the list.
    let other = try Program.run(
      "config", "show", "--config", file, "--board", scratch.file("parts/mine.toml"))
    #expect(!other.output.contains("near/board.toml"))
    #expect(other.output.contains("parts/mine.toml"))
  }

  @Test("GODWIT_BOARDS names the folder in which boards are found")
  func boardsAreFoundInTheFolderOfTheEnvironment() throws {
    let scratch = try ScratchFolder()
    try scratch.write("[gnss]\noff_mA = 0.25\n", to: "here/board.toml")
    let folder = scratch.path
    let shown = try Program.run(
      ["config", "show", "--board", "here"], environment: ["GODWIT_BOARDS": folder])
    #expect(shown.output.contains("here/board.toml:2"))
    let missing = try Program.run(
      ["config", "check", "--board", "hree"], environment: ["GODWIT_BOARDS": folder])
    #expect(missing.exitCode == 2)
    #expect(missing.messages.contains("option --board hree: there is no board 'hree' in "))
    #expect(missing.messages.contains(" (did you mean here?)"))
  }

  @Test("paths that are not files are refused") func filesThatAreNone() throws {
    let scratch = try ScratchFolder()
    let pipe = scratch.file("pipe.toml")
    #expect(mkfifo(pipe, 0o600) == 0)
    let silent = thrown(SettingsError.self) {
      try ConfigOptions.read(pipe, namedBy: "it is a board", timeout: 0.01)
    }
    #expect(silent?.description.contains("it did not end within 0 s; it is a board") == true)
    let drips = open(pipe, O_RDWR | O_NONBLOCK)
    defer { close(drips) }
    #expect(write(drips, "a = 1", 5) == 5)
    #expect(throws: SettingsError.self) {
      try ConfigOptions.read(pipe, namedBy: "it is a board", timeout: 0.01)
    }
    let folder = thrown(SettingsError.self) {
      try ConfigOptions.read(scratch.path, namedBy: "it is a board")
    }
    #expect(folder?.description.contains("Is a directory; it is a board") == true)
    let endless = try ConfigOptions.read("/dev/zero", namedBy: "it is a board")
    #expect(endless.bytes.count <= TOMLParser.maxTextSize + 16_384)
  }

  @Test("a missing board hides no other error")
  func missingBoardAndMore() throws {
    let scratch = try ScratchFolder()
    try scratch.write(
      "boards = [\"nowhere\", \"nor-this\"]\n[gnss]\nof_mA = 1\n", to: "godwit.toml")
    for command in [["config", "check"], ["run"]] {
      let check = try Program.run(
        command + ["--config", scratch.file("godwit.toml"), "--set", "power_monitor.chip=ina225"])
      let lines = check.messages.split(separator: "\n")
      #expect(check.exitCode == 2 && lines.count == 4, "\(check.messages)")
      for words in ["'nowhere'", "'nor-this'", "gnss.off_mA", "power_monitor.chip"] {
        #expect(lines.count { $0.contains(words) } == 1, "\(words)")
      }
    }
  }

  @Test("the check names its files, or states that there are none")
  func checkedFiles() throws {
    let scratch = try ScratchFolder()
    try scratch.write("gnss.off_mA = 0.25\n", to: "board.toml")
    try scratch.write("policy.name = \"periodic\"\n", to: "godwit.toml")
    let (board, file) = (scratch.file("board.toml"), scratch.file("godwit.toml"))
    let check = try Program.run("config", "check", "--board", board, "--config", file)
    #expect(check.output.contains("\nRead: \(board), \(file).\n"), "\(check.output)")
    guard access(ConfigOptions.systemSettings, F_OK) != 0 else { return }
    let bare = try Program.run("config", "check")
    #expect(bare.exitCode == 0 && bare.output.contains("No file was read"))
  }

  @Test("boards that contradict each other end with code 2, unless a setting decides")
  func contradictingBoardsEndWithCodeTwo() throws {
    let scratch = try ScratchFolder()
    try scratch.write("receiver.baud = 9600\n", to: "one.toml")
    try scratch.write("receiver.baud = 4800\n", to: "two.toml")
    let boards = ["--board", scratch.file("one.toml"), "--board", scratch.file("two.toml")]
    let refused = try Program.run(["config", "check"] + boards)
    #expect(refused.exitCode == 2)
    #expect(refused.messages.contains("two.toml:1: receiver.baud = 4800, but "))
    #expect(refused.messages.contains("one.toml:1 has 9600"))
    let decided = try Program.run(["config", "check", "--set", "receiver.baud=0"] + boards)
    #expect(decided.exitCode == 0)
  }

  /// Every host with an I2C bus combined with every receiver that comes with Godwit, by name.
  @Test("the supplied boards are valid") func suppliedBoardsAreFine() throws {
    let boards = try SuppliedBoard.all()
    let hosts = boards.map(\.name).filter { $0.hasPrefix("raspberry-pi-") }
    let receivers = boards.filter { $0.kind == .receiver }.map(\.name)
    for host in hosts {
      for receiver in receivers {
        let named = [host, receiver, "ina226"].flatMap { ["--board", $0] }
        let check = try Program.run(
          ["config", "check"] + named, environment: ["GODWIT_BOARDS": SuppliedBoard.folder.path])
        #expect(check.exitCode == 0, "\(host), \(receiver): \(check.messages)")
      }
    }
    #expect(hosts.count == 4 && receivers.count == 9)
  }
}
