import Foundation
import TestSupport
import Testing

/// The energy of alerts over whole virtual days, and the times at which `godwit alerts` declares
/// them active.
@Suite struct AlertCostTests {
  private let folder: ScratchFolder
  private var places: String { folder.file("places.gpkg") }
  private static let life = ["--life", "commuter", "--seed", "3001"]

  init() throws {
    folder = try ScratchFolder()
    try run(
      ["simulate"] + Self.life + ["--sources", "none", "--policy", "hybrid", "--store", places])
    for (name, position) in [("Home", "45.75781,4.8319975"), ("Far", "52.5,13.4")] {
      try run(["places", "add", name, "--at", position, "--radius", "100", "--store", places])
    }
  }

  @discardableResult
  private func run(_ words: [String]) throws -> String {
    let outcome = try Program.run(words, environment: ["TZ": "Europe/Amsterdam"])
    try #require(outcome.exitCode == 0, "\(words): \(outcome.messages)")
    return outcome.output
  }

  private func add(_ words: String...) throws {
    try run(["alerts", "add"] + words + ["--store", places])
  }

  private struct Day {
    let onTime: Double
    let points: [Date]
  }

  /// - Parameter withAlerts: whether the store's alerts are enabled.
  private func day(_ words: [String], withAlerts: Bool) throws -> Day {
    let store = folder.file("\(UUID().uuidString).gpkg")
    let given = withAlerts ? ["--places", places] : []
    let output = try run(["simulate"] + Self.life + words + given + ["--json", "--store", store])
    let summary = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    let track = try run(["track", "--json", "--store", store])
    let points = try JSONSerialization.jsonObject(with: Data(track.utf8)) as? [[String: Any]]
    let dates = ISO8601DateFormatter()
    dates.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return Day(
      onTime: try #require(summary?["gnss_on_s"] as? Double),
      points: try #require(points).map {
        try #require(dates.date(from: $0["time"] as? String ?? ""))
      })
  }

  private static let always = ["--set", "power_switch.kind=none"]

  @Test(
    "no fix is stored twice, whatever wants it",
    arguments: [
      ["--policy", "adaptive"], ["--policy", "hybrid"], ["--policy", "approach"],
      ["--policy", "adaptive"] + always,
    ])
  func noneTwice(words: [String]) throws {
    try add("Gone", "--when", "leave", "--place", "Home")
    try add("Far", "--when", "enter", "--place", "Far")
    let times = try day(words + ["--sources", "motion"], withAlerts: true).points
    #expect(!times.isEmpty)
    let pauses = zip(times, times.dropFirst()).map { $1.timeIntervalSince($0) }
    #expect(pauses.allSatisfy { $0 > 0.1 }, "the receiver gives one fix a second")
  }

  @Test(
    "an alert does not change the track of a dense source",
    arguments: [["--policy", "continuous"], ["--policy", "adaptive"] + always])
  func dense(words: [String]) throws {
    try add("Gone", "--when", "leave", "--place", "Home")
    try add("Far", "--when", "enter", "--place", "Far")
    let without = try day(words, withAlerts: false)
    let withAlerts = try day(words, withAlerts: true)
    #expect(withAlerts.points == without.points)
    #expect(withAlerts.onTime == without.onTime)
  }

  @Test(
    "an alert outside of its schedule costs as much as a disabled one",
    arguments: ["adaptive", "approach"])
  func outside(policy: String) throws {
    let words = ["--policy", policy, "--sources", "motion"]
    let none = try day(words, withAlerts: false).onTime
    // The life begins on a Monday.
    try add("Gone", "--when", "leave", "--place", "Home", "--on", "su")
    let off = try day(words, withAlerts: true).onTime
    try add("Gone too", "--when", "leave", "--place", "Home")
    let on = try day(words, withAlerts: true).onTime
    #expect(off == none && on > none, "\(none) s without, \(off) s outside, \(on) s with it")
  }

  @Test("the list shows when an alert is active, and which have ended") func list() throws {
    try add(
      "Work", "--when", "leave", "--place", "Home", "--between", "08:00-17:00",
      "--on", "mo,tu,we,th,fr")
    try add(
      "Past", "--when", "enter", "--place", "Home", "--schedule",
      "DTSTART:20240201T080000\r\nDTEND:20240201T180000", "--accuracy", "20")
    try add("Ever", "--when", "enter", "--place", "Home")
    let table = try run(["alerts", "list", "--store", places])
    let lines = table.split(separator: "\n")
    #expect(lines[0].contains("WHEN"))
    #expect(lines[1].contains("Mon-Fri 08:00-17:00"))
    let timing = try #require(lines[1].components(separatedBy: "08:00-17:00").last)
    #expect(
      timing.contains(/next (Mon|Tue|Wed|Thu|Fri) 08:00$|on until (Mon|Tue|Wed|Thu|Fri) 17:00$/))
    #expect(lines[2].contains("2024-02-01 08:00-18:00") && lines[2].hasSuffix("over"))
    #expect(lines[3].contains("always") && lines[3].hasSuffix("on"))
    let json = try run(["alerts", "list", "--json", "--store", places])
    #expect(json.contains(#""over":true"#) && json.contains(#""when":"Mon-Fri 08:00-17:00""#))
    let page = try run(["alerts", "show", "past", "--store", places])
    for words in ["2024-02-01 08:00-18:00", "over", "20 m or better", "5 min"] {
      #expect(page.contains(words), "\(words) in \(page)")
    }
  }

  @Test("a schedule that would never be on is refused") func never() throws {
    let outcome = try Program.run(
      "alerts", "add", "X", "--when", "leave", "--schedule", "DTSTART:20260201T080000", "--store",
      places)
    #expect(outcome.exitCode != 0 && outcome.messages.contains("DTEND or DURATION"))
  }
}
