import Foundation
import Notation
import TestSupport
import Testing

/// `godwit power test` on a monitor of plain files.
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

  @Test("a dry run says every step and how long all takes, and writes nothing") func dryRun() throws
  {
    let outcome = try run(Self.test, "--dry-run")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    #expect(
      outcome.output.contains("baseline before") && outcome.output.contains("loaded, round 2"))
    #expect(outcome.output.hasSuffix("all of it: 1 s\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["protocol.toml"])
  }

  @Test("every step is recorded once, and what is missing is made up for") func resumed() throws {
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
    #expect(again.messages.contains("5 of 6 steps are there already; going on"))
    #expect(try recordings.filter { $0 != lost }.map { try scratch.text("results/\($0)") } == kept)
    #expect(FileManager.default.fileExists(atPath: "\(folder)/\(lost)"))
  }

  @Test("a condition whose command fails ends the test, and what was measured stays")
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
}
