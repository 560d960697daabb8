import Foundation
import Core
import TestSupport
import Testing

/// `godwit power test` on a monitor simulated by plain files.
@Suite struct PowerTestCommandTests {
  private static let test = """
    [test]
    name = "short"
    rounds = 2
    warm_up_s = 0
    baseline_s = 0.2
    settle_s = 0.05
    duration_s = 0.2
    interval_s = 0.05
    [[condition]]
    name = "idle"
    [[condition]]
    name = "loaded"
    run = "echo begun; sleep 60"

    """

  let scratch: ScratchFolder
  let power: PowerCommandTests

  init() throws {
    scratch = try ScratchFolder()
    power = try PowerCommandTests()
  }

  private func run(_ text: String, _ more: String...) throws -> Program.Outcome {
    let file = scratch.file("protocol.toml")
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    return try power.run(arguments: ["test", file] + more)
  }

  @Test("a dry run shows every step and the total time, and writes nothing") func dryRun() throws {
    let outcome = try run(Self.test, "--dry-run")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    #expect(
      outcome.output.contains("baseline before") && outcome.output.contains("loaded, round 2"))
    #expect(outcome.output.hasSuffix("total: 1 s\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["protocol.toml"])
  }

  @Test("a command of several lines is one line in a dry run") func severalLines() throws {
    let text = Self.test.replacing(
      #""echo begun; sleep 60""#, with: #""""\n  echo begun\n\n  sleep 60\n""""#)
    let outcome = try run(text, "--dry-run")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    #expect(outcome.output.contains("echo begun; sleep 60\n"), "\(outcome.output)")
  }

  @Test("every step is recorded once, and missing ones are repeated") func resumed() throws {
    let folder = scratch.file("results")
    let outcome = try run(Self.test, "--out", folder, "--json")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let json = try JSONValue(parsing: outcome.output)
    #expect(json["test"] == .string("short"))
    #expect(json["conditions"]?.array?.compactMap { $0["runs"]?.integer } == [2, 2])
    #expect(json["differences"]?.array?.first?["paired"] == .bool(true))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let recordings = names.filter { $0.hasPrefix("0") && $0.hasSuffix(".json") }
    #expect(recordings.count == 6 && names.contains("report.html"))
    let log = try #require(names.first { $0.hasSuffix("loaded.log") })
    #expect(try scratch.text("results/\(log)") == "begun\n")
    let lost = try #require(recordings.dropFirst(2).first)
    let kept = try recordings.filter { $0 != lost }.map { try scratch.text("results/\($0)") }
    try FileManager.default.removeItem(atPath: "\(folder)/\(lost)")
    let again = try run(Self.test, "--out", folder)
    #expect(again.messages.contains("5 of 6 steps are done already; continuing"))
    #expect(try recordings.filter { $0 != lost }.map { try scratch.text("results/\($0)") } == kept)
    #expect(FileManager.default.fileExists(atPath: "\(folder)/\(lost)"))
  }

  @Test("a failing command ends the test, and earlier recordings stay")
  func failing() throws {
    let text = Self.test.replacing("echo begun; sleep 60", with: "echo no such thing >&2; exit 3")
    let outcome = try run(text, "--out", scratch.file("results"))
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains("loaded, round 1: its command ended with exit code 3"))
    #expect(
      FileManager.default.fileExists(atPath: scratch.file("results/0001-baseline-before.json")))
  }

  @Test("a folder of another protocol, and a test without one, are refused") func refused() throws {
    let folder = scratch.file("results")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try "other".write(toFile: folder + "/protocol.toml", atomically: false, encoding: .utf8)
    let other = try run(Self.test, "--out", folder)
    #expect(other.exitCode == 2 && other.messages.contains("the test of another protocol"))
    #expect(try run(Self.test).messages.contains("--out: name a folder"))
    let nothing = try run("", "--out", folder)
    #expect(nothing.exitCode != 0 && nothing.messages.contains("has no condition"))
    let missing = try power.run(arguments: ["test", scratch.file("none.toml"), "--dry-run"])
    #expect(missing.messages.contains("No such file"))
  }

  @Test("a daemon's receiver state is in the report") func states() throws {
    let socket = scratch.file("control")
    let text = Self.test.replacing("rounds = 2", with: "rounds = 1\nsocket = \"\(socket)\"")
      .replacing("settle_s = 0.05", with: "settle_s = 1")
      .replacing(
        "echo begun; sleep 60",
        with: "\(BuiltProgram.path("godwit")) run --config /dev/null --board /dev/null "
          + "--socket \(socket) --store \(scratch.file("store.gpkg")) --set receiver.kind=none "
          + "--set control.group=\(DoctorTests.group)")
    let folder = scratch.file("results")
    let outcome = try run(text, "--out", folder, "--json")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let conditions = try #require(try JSONValue(parsing: outcome.output)["conditions"]?.array)
    let loaded = try #require(conditions.first { $0["name"]?.string == "loaded" })
    let states = try #require(loaded["states"]?.array)
    #expect(states.map { $0["state"]?.string } == ["off"], "\(outcome.output)")
    #expect(states.first?["current_mean_mA"]?.number == 28.882_576)
    #expect(loaded["fixes"]?.integer == 0 && loaded["energy_per_fix_J"] == .null)
    // The report can be made again, also as text.
    let again = try power.run(report: folder)
    #expect(again.exitCode == 0 && again.output.contains("By the receiver's state"))
    #expect(try scratch.text("results/report.html").contains("By the receiver"))
    // All readings are in one table.
    let table = scratch.file("samples.csv")
    #expect(try power.run(report: folder, "--samples", table).exitCode == 0)
    let rows = try scratch.text("samples.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(rows.first?.prefix(4) == ["file", "condition", "round", "state"])
    #expect(rows.contains { $0.prefix(4).dropFirst() == [#""loaded""#, "1", #""off""#] })
    #expect(rows.contains { $0[1] == #""baseline before""# && $0[2] == "" })
  }

  @Test("a second monitor is read at the same time, and compared with itself") func beside() throws
  {
    let second = power.scratch.file("class/hwmon/hwmon1")
    try FileManager.default.copyItem(
      atPath: power.scratch.file("class/hwmon/hwmon0"), toPath: second)
    try FileManager.default.removeItem(atPath: second + "/device")
    try FileManager.default.createSymbolicLink(
      atPath: second + "/device", withDestinationPath: "../../../devices/1-0041")
    try "190000\n".write(
      toFile: second + "/power1_input", atomically: false, encoding: .utf8)
    let settings = scratch.file("board.toml")
    try "[power_monitor]\nkind = \"hwmon\"\naddress = 0x41\n".write(
      toFile: settings, atomically: false, encoding: .utf8)
    let outcome = try run(
      Self.test, "--out", scratch.file("results"), "--beside", settings, "--json",
      "--set", "power_monitor.address=0x40")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let json = try JSONValue(parsing: outcome.output)
    let conditions = try #require(json["conditions"]?.array)
    #expect(conditions.count == 4)
    let means = conditions.compactMap { $0["current_mean_mA"]?.number }
    #expect(means == [28.882_576, 28.882_576, 57.670_455, 57.670_455])
    #expect(json["differences"]?.array?.count == 2)
    let same = try run(Self.test, "--out", scratch.file("other"), "--beside", "/dev/null")
    #expect(same.exitCode == 2, "\(same.messages)")
  }

  @Test("the recording of a failed run is kept") func kept() throws {
    let folder = scratch.file("results")
    let text = Self.test.replacing("duration_s = 0.2", with: "duration_s = 0.5")
      .replacing("echo begun; sleep 60", with: "sleep 0.3; exit 4")
    for attempt in 1...2 {
      let outcome = try run(text, "--out", folder)
      #expect(outcome.exitCode == 1 && outcome.messages.contains("exit code 4"))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      let parts = names.filter { $0.contains(".partial-") }
      #expect(parts.count { $0.hasSuffix(".json") } == attempt, "\(names)")
      #expect(parts.count { $0.hasSuffix(".jsonl") } == attempt, "\(names)")
    }
    #expect(try power.run(report: folder).messages.contains("is not recorded yet"))
  }

  @Test("processes left by a successful command end with its run") func leftBehind()
    throws
  {
    let mark = "6\(UInt32.random(in: 100_000_000...999_999_999))"
    let text = Self.test.replacing("echo begun; sleep 60", with: "sleep \(mark) & true")
    let outcome = try run(text, "--out", scratch.file("results"))
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let left = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
      let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") ?? Data()
      return String(decoding: words, as: UTF8.self).contains(mark)
    }
    #expect(left == [])
    #expect(!FileManager.default.fileExists(atPath: scratch.file("results/load.json")))
  }

  @Test("a folder with foreign files is not written to") func foreignFolder() throws {
    let folder = scratch.file("mine")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try "mine".write(toFile: folder + "/report.html", atomically: false, encoding: .utf8)
    let outcome = try run(Self.test, "--out", folder)
    #expect(
      outcome.exitCode == 2 && outcome.messages.contains("it contains report.html and no test"))
    #expect(try scratch.text("mine/report.html") == "mine")
  }

  @Test("processes left by a killed test are named, and nothing is measured beside them")
  func leftLoad() throws {
    let folder = scratch.file("results")
    #expect(try run(Self.test, "--out", folder).exitCode == 0)
    // This test's own process group stands in for a leftover load.
    let boot = try #require(
      try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))
    let json = #"{"process_group":\#(getpgrp()),"boot":"\#(boot.prefix(36))"}"#
    try json.write(toFile: folder + "/load.json", atomically: false, encoding: .utf8)
    let outcome = try run(Self.test, "--out", folder)
    #expect(outcome.exitCode == 1 && outcome.messages.contains("kill -- -\(getpgrp())"))
    // After the next boot the group id is no longer valid.
    try json.replacing(String(boot.prefix(36)), with: "another").write(
      toFile: folder + "/load.json", atomically: false, encoding: .utf8)
    #expect(try run(Self.test, "--out", folder).exitCode == 0)
  }

  @Test("two tests cannot use one folder") func locked() throws {
    let folder = scratch.file("results")
    #expect(try run(Self.test, "--out", folder).exitCode == 0)
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY)
    #expect(flock(descriptor, LOCK_EX) == 0)
    let outcome = try run(Self.test, "--out", folder)
    close(descriptor)
    #expect(outcome.exitCode == 1 && outcome.messages.contains("another godwit power test uses"))
  }
}
