import Foundation
import Core
import TestSupport
import Testing

/// `simulate` over several runs, as users and programs run it.
@Suite struct ComparisonTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// The lines of a comparison, without the provenance at its end.
  private func lines(_ arguments: [String], exitCode: Int32 = 0) throws -> [JSONValue] {
    let outcome = try Program.run(["simulate"] + arguments + ["--json"])
    #expect(outcome.exitCode == exitCode, "\(outcome.messages)")
    let text = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let all = try #require(try JSONValue(parsing: text).array)
    #expect(all.last?["kind"]?.string == "provenance")
    #expect(all.last?["provenance"]?["kind"]?.string == "simulated")
    return Array(all.dropLast())
  }

  private func traces(_ names: String...) throws -> String {
    for name in names { try ShortTrace.write(to: "traces/\(name)", in: scratch) }
    return scratch.file("traces")
  }

  @Test("every line is reproducible by its command") func reproducible() throws {
    let folder = try traces("a day.csv", "it's/b.csv")
    try scratch.write("of nothing", to: "traces/readme.txt")
    try scratch.write(
      "trace,arrival,departure,scored\n" + ShortTrace.stays(of: "a day")
        + ShortTrace.stays(of: "b"),
      to: "stays.csv")
    let found = try lines([
      folder, "--policy", "adaptive,hybrid", "--stays", scratch.file("stays.csv"),
    ])
    #expect(
      found.compactMap { $0["kind"]?.string } == ["pooled", "pooled"]
        + Array(repeating: "run", count: 4))
    #expect(found.compactMap { $0["runs"]?.integer } == [2, 2, 1, 1, 1, 1])
    for line in found {
      let command = try #require(line["command"]?.string)
      let again = try run(
        "/bin/sh", "-c",
        "godwit() { '\(BuiltProgram.path("godwit"))' \"$@\"; }; \(command) --json 2>/dev/null")
      #expect(again.status == 0, "\(command)")
      let text = again.output.trimmingCharacters(in: .whitespacesAndNewlines)
      var made = try JSONValue(parsing: text)
      if line["kind"]?.string == "pooled" { made = try #require(made.array?.first) }
      for key in ["energy_J", "visit_f1", "route_error_p95_m", "fixes_accepted", "ttff_median_s"] {
        #expect(made[key] == line[key] && made[key] != nil, "\(key) of \(command)")
      }
    }
    let adaptive = try #require(found.first)
    #expect(adaptive["stays"]?.integer == 4 && adaptive["visit_f1"]?.number ?? 0 > 0.7)
    #expect((0.001...0.9).contains(adaptive["energy_per_continuous"]?.number ?? 0))
    #expect(adaptive["energy_per_day_margin95_J"]?.number != nil)
  }

  @Test("every run of a comparison has the places, in a store or without one")
  func places() throws {
    let trace = try traces("a.csv") + "/a.csv"
    let truth = try String(contentsOfFile: trace, encoding: .utf8)
    let row = try #require(truth.split(separator: "\n").last).split(separator: ",")
    try scratch.write(
      """
      {"type": "Feature", "properties": {"name": "There"}, "geometry": \
      {"type": "Point", "coordinates": [\(row[2]), \(row[1])]}}
      """, to: "there.geojson")
    func energy(_ more: String...) throws -> [Double] {
      try lines([trace, "--policy", "proximity,continuous"] + more)
        .filter { $0["kind"]?.string == "pooled" }.compactMap { $0["energy_J"]?.number }
    }
    let near = try energy("--places", scratch.file("there.geojson"))
    let nowhere = try energy()
    #expect(near.count == 2 && near[0] > nowhere[0] * 1.05, "\(near), \(nowhere)")
    #expect((near[1] - nowhere[1]).magnitude < nowhere[1] * 0.01)
  }

  @Test("an unreadable trace is a line that says so, and the others are kept")
  func failedRun() throws {
    let folder = try traces("a.csv")
    let outcome = try Program.run(
      "simulate", "\(folder)/a.csv", scratch.file("gone.gpx"), "--policy", "hybrid")
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains("2 of 4 runs failed"), "\(outcome.messages)")
    #expect(outcome.messages.contains("gone.gpx"), "\(outcome.messages)")
    #expect(outcome.output.contains("1 of 2 runs failed"), "\(outcome.output)")
    #expect(outcome.output.contains("failed: cannot read"), "\(outcome.output)")
    #expect(outcome.output.contains("(2 runs made for it)"), "\(outcome.output)")
  }

  @Test("a sweep varies only its policy, and the board with its reference") func sweeps() throws {
    let trace = try traces("a.csv") + "/a.csv"
    let own = try lines([
      trace, "--policy", "hybrid,periodic", "--sweep", "hybrid.swap_after_s=60,600",
    ])
    #expect(
      own.filter { $0["kind"]?.string == "pooled" }.compactMap { $0["settings"]?.string }
        == ["swap_after_s=60", "swap_after_s=600", ""])
    let board = try lines([trace, "--policy", "hybrid", "--sweep", "gnss.tracking_mA=20,40"])
    let shares = board.prefix(2).compactMap { $0["energy_per_continuous"]?.number }
    #expect(shares.count == 2 && board[0]["settings"]?.string == "tracking_mA=20")
    let both = try lines([
      trace, "--policy", "continuous,hybrid", "--sweep", "gnss.tracking_mA=20,40",
    ])
    #expect(both.prefix(2).allSatisfy { $0["energy_per_continuous"]?.number == 1 })
    #expect(
      both.dropFirst(2).prefix(2).compactMap { $0["energy_per_continuous"]?.number } == shares)
  }

  @Test("several seeds give an interval, a battery days, and a folder the stores")
  func seedsAndStores() throws {
    let trace = try traces("a.csv") + "/a.csv"
    let arguments = [
      trace, "--policy", "hybrid", "--seed", "7", "--seeds", "3", "--battery", "1000", "--store",
      scratch.file("stores"),
    ]
    let found = try lines(arguments)
    #expect(found.dropFirst().compactMap { $0["seed"]?.integer } == [7, 8, 9])
    let pooled = found[0]
    let perDay = try #require(pooled["energy_per_day_J"]?.number)
    #expect(pooled["energy_per_day_margin95_J"]?.number ?? 0 > 0)
    let days = try #require(pooled["battery_days"]?.number)
    #expect((days - 1000 * 3.6 * 3.7 / perDay).magnitude < 0.01)
    for line in found.dropFirst() {
      let store = try #require(line["store"]?.string)
      #expect(try Program.run("visits", "--store", store).exitCode == 0)
    }
    let again = try Program.run(["simulate"] + arguments)
    #expect(again.exitCode == 2 && again.messages.contains("exists already"))
  }

  @Test("the page is self-contained, and a spreadsheet can read the table")
  func files() throws {
    let trace = try traces("<b>.csv") + "/<b>.csv"
    let outcome = try Program.run(
      "simulate", trace, "--policy", "hybrid", "--csv", scratch.file("a.csv"), "--html",
      scratch.file("a.html"), "--set", "lookup.url=https://example.org/?key=SECRET")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    // The XML namespace of SVG is not an external address.
    let page = try scratch.text("a.html").replacing("http://www.w3.org/2000/svg", with: "")
    #expect(page.contains("Cumulative charge") && page.contains("charge (mAh)"))
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    for word in ["<script", "http:", "https:", "<b>", "SECRET"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("godwit simulate") && page.contains("&lt;b&gt;.csv"))
    let rows = try scratch.text("a.csv").split(separator: "\n")
    #expect(rows.count == 3 && rows[0].hasPrefix("kind,policy,settings,trace,life,seed,runs"))
    #expect(rows[0].split(separator: ",").count > 30)
    #expect(!outcome.output.contains("SECRET"))
  }

  @Test("invalid comparisons are refused before the first run, with the remedy")
  func refusals() throws {
    let folder = try traces("a.csv", "x/a.csv")
    try scratch.write("no trace", to: "empty/readme.md")
    try scratch.write("arrival,departure\n1,2\n", to: "nobody.csv")
    try scratch.write("trace,arrival,departure\nzzz,1,2\n", to: "strangers.csv")
    try scratch.write("trace,arrival,departure\na,1,20\na,10,30\n", to: "overlap.csv")
    try scratch.write("trace,arrival,departure\na,1,20\n", to: "same.csv")
    func refused(_ code: Int32, _ words: String, _ arguments: String...) throws {
      let outcome = try Program.run(["simulate"] + arguments)
      #expect(outcome.exitCode == code, "\(arguments): \(outcome.messages)")
      #expect(outcome.messages.contains(words), "\(arguments): \(outcome.messages)")
      #expect(outcome.output.isEmpty, "\(arguments)")
    }
    try refused(2, "no policy 'nosuch'", "--policy", "adaptive,nosuch")
    try refused(2, "named twice", "--policy", "adaptive,adaptive")
    try refused(2, "no life 'x'", "--life", "commuter,x")
    try refused(2, "1 to 1024", "--policy", "adaptive,hybrid", "--jobs", "0")
    try refused(2, "--seeds", "--seeds", "0")
    try refused(2, "--battery", "--battery", "-5")
    try refused(2, "expected", "--policy", "hybrid", "--sweep", "hybrid.swap_after_s=-9,2")
    try refused(2, "add hybrid", "--policy", "adaptive", "--sweep", "hybrid.swap_after_s=1,2")
    try refused(1, "no trace in this folder", scratch.file("empty"), "--policy", "hybrid")
    try refused(1, "column trace", folder, "--stays", scratch.file("nobody.csv"))
    try refused(1, "no stays of any", folder, "--stays", scratch.file("strangers.csv"))
    try refused(1, "line 3", folder, "--stays", scratch.file("overlap.csv"))
    try refused(1, "a is ambiguous", folder, "--stays", scratch.file("same.csv"))
    try refused(1, "No such file", folder, "--stays", scratch.file("none.csv"))
    try refused(2, "same file", folder, "--truth-track", scratch.file("t.csv"))
    try refused(2, "there is no store", folder, "--durable")
    try refused(2, "is named twice", folder, folder)
    try refused(2, "read only once", "-", "--policy", "adaptive,hybrid")
    try refused(2, "stays of a life", "--seeds", "2", "--stays", scratch.file("same.csv"))
    try refused(2, "--store", "--policy", "hybrid")
    try refused(1, "No such file", folder, "--places", scratch.file("none.geojson"))
    try refused(1, "none of its stays", "\(folder)/a.csv", "--stays", scratch.file("same.csv"))
  }

  /// Uses SIGKILL, since tests block other signals, and their children inherit the mask.
  @Test("a killed comparison ends its runs") func killed() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProgram.path("godwit"))
    process.arguments = [
      "simulate", "--policy", "continuous", "--days", "3000", "--seeds", "4", "--jobs", "2",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { kill(process.processIdentifier, SIGKILL) }
    func children() throws -> [String] {
      let file = "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children"
      return try String(contentsOfFile: file, encoding: .utf8).split(separator: " ")
        .map(String.init)
    }
    var runs: [String] = []
    for _ in 0..<500 where runs.count < 2 {
      usleep(20_000)
      runs = try children()
    }
    #expect(runs.count == 2)
    // Until both have set their parent-death signal.
    usleep(1_000_000)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    func isThere(_ run: String) -> Bool {
      FileManager.default.fileExists(atPath: "/proc/\(run)")
        && (try? String(contentsOfFile: "/proc/\(run)/stat", encoding: .utf8).contains(" Z "))
          != true
    }
    for _ in 0..<500 where runs.contains(where: isThere) { usleep(20_000) }
    #expect(!runs.contains(where: isThere))
  }
}
