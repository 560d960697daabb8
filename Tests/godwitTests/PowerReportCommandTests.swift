import Foundation
import Core
import TestSupport
import Testing

/// `godwit power report` on recordings that the program itself has written.
@Suite struct PowerReportCommandTests {
  let scratch: ScratchFolder
  let power: PowerCommandTests

  init() throws {
    scratch = try ScratchFolder()
    power = try PowerCommandTests()
  }

  private func recording(_ name: String) throws -> String {
    let path = scratch.file(name)
    let outcome = try power.run("record", "--for", "0.3", "--interval", "0.05", "--out", path)
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
    return path
  }

  private func report(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(["power", "report"] + arguments)
  }

  @Test("the output of record is read, in both forms, and a folder holds the whole report")
  func reads() throws {
    let files = [try recording("a.json"), try recording("b.csv")]
    let folder = scratch.file("report")
    let outcome = try report(["idle=\(files[0])", "idle=\(files[1])", "--out", folder, "--json"])
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let json = try JSONValue(parsing: outcome.output)
    let idle = try #require(json["conditions"]?.array?.first)
    #expect(idle["name"] == .string("idle") && idle["runs"]?.integer == 2)
    #expect(idle["current_mean_mA"]?.number == 28.882_576)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["charge.csv", "charge.svg", "report.html", "report.json"])
    #expect(try scratch.text("report/report.json") == outcome.output)
    // Half a second is too short to be trusted.
    #expect(json["trusted"] == .bool(false))
  }

  @Test("without a name the file's own is used") func names() throws {
    let outcome = try report([try recording("idle.json"), "--json"])
    let conditions = try JSONValue(parsing: outcome.output)["conditions"]?.array
    #expect(conditions?.first?["name"] == .string("idle"))
  }

  @Test("bad input is refused with the remedy") func refused() throws {
    let file = try recording("a.json")
    let other = try recording("b.json")
    try "<gpx/>".write(toFile: scratch.file("c.json"), atomically: false, encoding: .utf8)
    let cases: [([String], String)] = [
      ([], "Missing expected argument"),
      ([file, "\(scratch.path)/none.json"], "cannot read"),
      (["x=\(file)", "x=\(file)"], "is named twice; name each run once"),
      (["x="], "names no file"),
      ([scratch.file("c.json")], "is not the beginning of a recording"),
      (["/dev/null"], "it is empty"),
      ([scratch.path], "this folder is not that of a power test"),
      ([file, "--wanted", "0"], "more than 0 and at most 100 percent"),
      (["a=\(file)", "b=\(file)", "b=\(other)", "--paired"], "pairs need as many of each"),
      ([file, "--out", "/proc/none"], "cannot make the folder /proc/none"),
      ([file, "--out", file], "cannot"),
    ]
    for (arguments, words) in cases {
      let outcome = try report(arguments)
      #expect(outcome.exitCode != 0, "\(arguments)")
      #expect(outcome.messages.contains(words), "\(arguments): \(outcome.messages)")
    }
  }

  @Test("a report replaces no recording") func keepsRecordings() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("report"), withIntermediateDirectories: false)
    let file = try recording("report/report.json")
    let before = try scratch.text("report/report.json")
    let outcome = try report([file, "--out", scratch.file("report")])
    #expect(outcome.exitCode == 2 && outcome.messages.contains("is one of the recordings"))
    #expect(try scratch.text("report/report.json") == before)
  }
}
