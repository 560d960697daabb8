import Foundation
import Core
import TestSupport
import Testing

/// `simulate --truth-stays` and `--truth-track` as programs see them.
@Suite struct TruthFilesTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// - Parameter name: the name of the new store.
  private func simulate(_ arguments: [String], into name: String) throws -> Program.Outcome {
    try Program.run(["simulate"] + arguments + ["--store", scratch.file(name)])
  }

  private func rows(_ path: String) throws -> [[String: String]] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let header = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
  }

  /// Seconds since 1970.
  private func moment(_ text: JSONValue?) throws -> Double {
    let time = try #require(text?.string.flatMap { ISO8601.parse($0) })
    return Double(time.nanoseconds) / 1e9
  }

  @Test("the true track is under way between the true stays, and nowhere else")
  func theTrackAgreesWithTheStays() throws {
    let (stays, track) = (scratch.file("stays.json"), scratch.file("track.csv"))
    let outcome = try simulate(
      ["--life", "school-run", "--days", "2", "--truth-stays", stays, "--truth-track", track],
      into: "a.gpkg")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let text = try String(contentsOfFile: stays, encoding: .utf8)
    let found = try #require(
      try JSONValue(parsing: text.trimmingCharacters(in: .whitespacesAndNewlines)).array)
    let times = try found.map { try (moment($0["arrival"]), moment($0["departure"])) }
    let points = try rows(track)
    #expect(points.count == 2 * 8640)
    var underWay = 0
    for point in points {
      let time = try moment(point["time"].map { .string($0) })
      let isUnderWay = point["under_way"] == "1"
      if isUnderWay { underWay += 1 }
      // Accurate to one position.
      let margin = isUnderWay ? 10.0 : -10
      let isInStay = times.contains { arrival, departure in
        arrival + margin < time && time < departure - margin
      }
      #expect(isInStay != isUnderWay, "\(point)")
    }
    #expect(underWay > 100)
  }

  @Test("a day without the name of a life has its truth too")
  func defaultDay() throws {
    let (stays, track) = (scratch.file("stays.json"), scratch.file("track.csv"))
    let outcome = try simulate(["--truth-stays", stays, "--truth-track", track], into: "day.gpkg")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let text = try String(contentsOfFile: stays, encoding: .utf8)
    let found = try JSONValue(parsing: text.trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(found.array?.isEmpty == false)
    #expect(try rows(track).count == 8640)
  }

  @Test("the true track can be read back as a trace, and has the same track again")
  func theTrackIsATrace() throws {
    let (first, second) = (scratch.file("first.csv"), scratch.file("second.csv"))
    let span = "8640 positions from 2026-05-04T00:00:00Z to 2026-05-04T23:59:50Z"
    for (arguments, name, messages) in [
      (["--life", "hiker", "--truth-track", first], "a.gpkg", ""),
      ([first, "--truth-track", second], "b.gpkg", "godwit: \(first): \(span)\n"),
    ] {
      let outcome = try simulate(arguments, into: name)
      #expect(outcome.exitCode == 0 && outcome.messages == messages, "\(outcome.messages)")
    }
    let (planned, traced) = (try rows(first), try rows(second))
    // A trace ends with its last position.
    #expect(traced.count == planned.count - 1)
    for key in ["time", "lat", "lon", "hacc"] {
      #expect(zip(planned, traced).allSatisfy { $0[key] == $1[key] }, "\(key)")
    }
    #expect(traced.contains { $0["under_way"] == "1" })
    #expect(traced.contains { $0["under_way"] == "0" })
  }

  @Test("the table has every true stay, and the visits that agree with them")
  func theTableNamesEveryStay() throws {
    let (stays, table) = (scratch.file("stays.json"), scratch.file("table.csv"))
    let outcome = try Program.run(
      "simulate", "--life", "school-run", "--days", "2", "--policy", "hybrid", "--truth-stays",
      stays, "--truth-table", table, "--json")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let score = try JSONValue(parsing: outcome.output.trimmingCharacters(in: .newlines))
    let rows = try rows(table)
    func kind(_ row: [String: String]) -> String? {
      row["outcome"]?.trimmingCharacters(in: ["\""])
    }
    func count(_ name: String) -> Int { rows.count { kind($0) == name } }
    #expect(count("found") == score["stays_found"]?.integer)
    #expect(count("found") + count("missed") == score["stays"]?.integer)
    #expect(count("extra") == score["visits_extra"]?.integer)
    let text = try String(contentsOfFile: stays, encoding: .utf8)
    let truth = try JSONValue(parsing: text.trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(rows.count { $0["stay_arrival"] != "" } == truth.array?.count)
    for row in rows {
      #expect((row["reason"] == "") == ["found", "extra"].contains(kind(row)), "\(row)")
      #expect((row["position_error_m"] == "") == (kind(row) != "found"), "\(row)")
    }
  }

  @Test("a trace needs its stays for the table") func aTraceNeedsStays() throws {
    let outcome = try Program.run(
      "simulate", "/etc/hostname", "--truth-table", scratch.file("table.csv"))
    #expect(outcome.exitCode == 2 && outcome.messages.contains("--stays"), "\(outcome.messages)")
  }

  @Test(
    "no output replaces the trace, a store or the other", arguments: ["stays", "track", "table"])
  func othersFilesAreRefused(kind: String) throws {
    let option = "--truth-\(kind)"
    let store = scratch.file("x.gpkg")
    let old = scratch.file("old.gpkg")
    #expect(try simulate([], into: "old.gpkg").exitCode == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: old))
    let both = scratch.file("both")
    for (arguments, words) in [
      ([option, store], "that is the store"), ([option, old], "it is a database"),
      (["--truth-stays", both, "--truth-track", both], "are the same file"),
      ([option, "/nowhere/x"], "No such file or directory"),
    ] {
      let outcome = try simulate(arguments, into: "x.gpkg")
      #expect(outcome.exitCode != 0)
      #expect(outcome.messages.contains(words), "\(outcome.messages)")
      #expect(!FileManager.default.fileExists(atPath: store))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == before)
  }

  @Test("the track of a simulation does not replace its trace, by any name")
  func theTraceStays() throws {
    let trace = scratch.file("walk.csv")
    let text = "time,lat,lon\n2026-05-01T08:00:00Z,53.2,6.5\n2026-05-01T08:01:00Z,53.2,6.5\n"
    try text.write(toFile: trace, atomically: true, encoding: .utf8)
    let link = scratch.file("link.csv")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: trace)
    for path in [trace, link] {
      let outcome = try simulate([trace, "--truth-track", path], into: "x.gpkg")
      #expect(outcome.exitCode == 2)
      #expect(outcome.messages.contains("that is the trace of this simulation"))
    }
    #expect(try String(contentsOfFile: trace, encoding: .utf8) == text)
  }
}
