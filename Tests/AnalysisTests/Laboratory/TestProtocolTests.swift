import Config
import Foundation
import Analysis
import Core
import Testing
import VirtualDevice

/// Protocols as files, and their errors.
@Suite struct TestProtocolTests {
  static let text = """
    [test]
    name = "requests"
    order = "randomized"
    rounds = 8
    seed = 7
    duration_s = 900

    [[condition]]
    name = "idle"

    [[condition]]
    name = "a request a minute"
    run = "while sleep 60; do true; done"
    duration_s = 600
    """

  static func read(_ text: String) throws(SettingsError) -> TestProtocol {
    try Configuration<TestProtocol>(
      settings: SettingsFile(name: "p.toml", bytes: Array(text.utf8))
    ).settings
  }

  @Test("a protocol states its conditions, number of runs and duration") func reads() throws {
    let test = try Self.read(Self.text)
    #expect(test.name == "requests" && test.rounds == 8 && test.seed == 7)
    #expect(test.order == .randomized && test.duration == 900)
    #expect(test.conditions.map(\.name) == ["idle", "a request a minute"])
    #expect(test.conditions[1].duration == 600 && test.conditions[0].command.isEmpty)
  }

  @Test("the shipped protocols are readable and take less than a day") func shipped() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../board/protocols").standardizedFileURL
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.contains("requests.toml"))
    for name in names {
      let path = folder.appendingPathComponent(name)
      let test = try Self.read(try String(contentsOf: path, encoding: .utf8))
      var random = SeededRandom(seed: 1)
      #expect(TestPlan(test, using: &random).duration < .days(1))
      #expect(test.name == name.dropLast(5) && !test.about.isEmpty)
    }
  }

  @Test(
    "an error is named with its line",
    arguments: [
      ("[test]\nrounds = 0\n[[condition]]\nname = \"a\"", "p.toml:2"),
      ("[test]\nname = \"x\"", "has no condition"),
      ("[[condition]]\nrun = \"x\"", "has no name"),
      (
        "[[condition]]\nname = \"a\"\n[[condition]]\nname = \"a\"",
        "two conditions called \"a\"; rename one"
      ),
      ("[test]\nround = 3\n[[condition]]\nname = \"a\"", "rounds"),
      ("[[condition]]\nname = \"a\"\nruns = \"x\"", "did you mean run?"),
      ("[test]\norder = \"chance\"\n[[condition]]\nname = \"a\"", "randomized"),
      ("[test]\nmax_drift_percent = nan\n[[condition]]\nname = \"a\"", "out of range"),
      ("[test\n", "p.toml:1"),
      (
        "[test]\nbaseline_s = 0\n[[condition]]\nname = \"a\"\nduration_s = 30\ninterval_s = 10",
        "leaves \"a\" fewer than five readings in 30 s"
      ),
      (
        "[test]\nbaseline_s = 30\ninterval_s = 10\n[[condition]]\nname = \"a\"",
        "leaves the baseline fewer than five readings"
      ),
      ("[[condition]]\nname = \"\"", "1 to 64 bytes"),
    ])
  func refused(text: String, words: String) {
    #expect {
      try Self.read(text)
    } throws: { "\($0)".contains(words) }
  }
}
