import Analysis
import Core
import Testing
import VirtualDevice

/// The first lines of a report, and the figures behind them.
@Suite struct PowerReportTests {
  private func condition(_ name: String, _ currents: [Double]) throws -> TestedCondition {
    TestedCondition(
      name: name,
      runs: try currents.enumerated().map {
        try WrittenRecording.steady($1, for: 12).run("\(name)-\($0).json")
      })
  }

  /// Consecutive runs at the given hours of a day.
  private func condition(
    _ name: String, _ currents: [Double], at hours: [Double]
  ) throws -> TestedCondition {
    TestedCondition(
      name: name,
      runs: try zip(currents, hours).map { current, hour in
        let start = ISO8601.text(UTCInstant(seconds: 1_777_593_600) + .hours(hour))
        var recording = WrittenRecording.steady(current, for: 12)
        recording.metadata = #"{"start_utc":"\#(start)"}"#
        return try recording.run("\(name)-\(hour).json")
      })
  }

  private func report(
    _ conditions: [TestedCondition], paired: Bool = false
  ) -> PowerReport {
    var random = SeededRandom(seed: 1)
    return PowerReport(conditions, options: .init(isPaired: paired), using: &random)
  }

  @Test("conditions have their mean, scatter and interval, later ones their difference")
  func figures() throws {
    let report = report([
      try condition("idle", [10, 11, 9, 10, 10.5, 9.5]),
      try condition("network", [20, 21, 19, 20, 20.5, 19.5]),
    ])
    let idle = try #require(report.lines.first)
    #expect((try #require(idle.condition.currents.mean) - 0.010).magnitude < 1e-9)
    let interval = try #require(idle.interval)
    #expect(interval.contains(0.010) && interval.method == .studentizedBootstrap)
    // s = 0.7071 mA: t × s / √n ≤ 5 % of 10 mA from 10 runs on (2.262 × 0.7071 / √10 = 0.506).
    #expect(idle.runsNeeded == 11)
    let difference = try #require(report.differences.first)
    #expect((try #require(difference.mean) - 0.010).magnitude < 1e-9)
    #expect((try #require(difference.share) - 1).magnitude < 1e-9)
    #expect(try #require(difference.interval).contains(0.010))
    #expect(report.doubts == [] && report.verdict == nil)
    let text = report.text
    #expect(text.contains("network minus idle") && text.contains("n = 6, studentized bootstrap"))
    #expect(text.split(separator: "\n").first?.hasPrefix("condition") == true)
  }

  @Test("the first line says that figures are unreliable, and why") func doubts() throws {
    var gap = WrittenRecording.steady(5, for: 60)
    gap.samples.removeAll { $0.time > 20 && $0.time < 40 }
    var other = WrittenRecording.steady(5, for: 60)
    other.metadata = #"{"monitor":"ina219 at 1-0041","host":"another"}"#
    let report = report([
      TestedCondition(name: "a", runs: [try gap.run("gap.json")]),
      TestedCondition(name: "b", runs: [try other.run("other.json")]),
    ])
    let first = try #require(report.text.split(separator: "\n").first)
    #expect(first == "UNRELIABLE: gap.json: 33.3 % of the time is missing; and 2 more:")
    #expect(report.doubts.count == 3)
    #expect(report.doubts[1].contains("different monitors"))
    #expect(report.doubts[2].contains("different boards (another, board)"))
    let page = String(decoding: report.page, as: UTF8.self)
    #expect(page.contains("<p class=\"warning\">UNRELIABLE"))
    #expect(report.json(program: "godwit")["trusted"]?.bool == false)
  }

  @Test("reverse current is not energy unless intended, and noise is not energy")
  func reversed() throws {
    var run = try WrittenRecording.steady(-30, for: 60).run("r.json")
    let warned = report([TestedCondition(name: "r", runs: [run])])
    #expect(warned.verdict?.contains("VIN+ and VIN- of the monitor are swapped, or") == true)
    let line = warned.json(program: "godwit")["conditions"]?.array?.first
    #expect(line?["energy_J"] == .null && line?["power_mean_mW"] == .null)
    #expect(line?["charge_mAh"]?.number == -0.5)
    run.allowsReverseCurrent = true
    let meant = report([TestedCondition(name: "r", runs: [run])])
    #expect(meant.doubts == [])
    let energy = meant.json(program: "godwit")["conditions"]?.array?.first?["energy_J"]?.number
    #expect(energy == -9)
    var board = WrittenRecording.steady(-30, for: 60)
    board.metadata = #"{"scope":"board"}"#
    #expect(try board.run("b.json").doubts == [])
    var noise = WrittenRecording.steady(0, for: 60)
    noise.samples = noise.samples.enumerated().map { index, sample in
      (sample.time, index % 3 == 0 ? -0.0101 : 0.005)
    }
    #expect(try noise.run("n.json").doubts == [])
  }

  @Test("a table without uncertainties does not show them as 0") func unknownUncertainty() throws {
    let rows = (0...60).map { "\($0),20,3.3\n" }.joined()
    let run = try WrittenRecording.read("time_s,current_mA,voltage_V\n" + rows, "a.csv")
    #expect(run.systematicCurrent == nil)
    let report = report([TestedCondition(name: "a", runs: [run])])
    let line = report.json(program: "godwit")["conditions"]?.array?.first
    #expect(line?["current_systematic_uncertainty_mA"] == .null)
    #expect(!report.text.contains(" 0.0000 "))
  }

  @Test("pairs compare run with run") func paired() throws {
    let report = report(
      [
        try condition("a", [10, 20, 30, 40, 50, 60]),
        try condition("b", [11, 21.2, 30.9, 41, 51.1, 60.9]),
      ], paired: true)
    let difference = try #require(report.differences.first)
    #expect(try #require(difference.interval).halfWidth < 0.0005)
    #expect(report.text.contains("studentized bootstrap, paired"))
  }

  @Test("drifting runs are not repeats of one condition, in any order of their files")
  func drift() throws {
    let drifting = [10, 10.3, 10.3, 10.7, 10.7, 11.1, 11.1, 11.5]
    let hours = drifting.indices.map { Double($0) }
    let named = report([try condition("idle", drifting, at: hours)])
    #expect(named.doubts.count == 1)
    #expect(named.doubts.first?.contains("idle: the mean current rises by 1.4") == true)
    #expect(named.text.hasPrefix("UNRELIABLE: idle: the mean current rises"))
    // The interval accounts for the drift, so no doubt says that it is too narrow.
    #expect(named.lines.first?.interval?.method == .correlatedRuns)
    #expect(named.doubts.first?.contains("interval counts them as no more than 1") == true)
    // The same currents in an order of hours without a trend.
    let shuffled = report([try condition("idle", drifting, at: [3, 7, 0, 5, 1, 6, 2, 4])])
    #expect(shuffled.doubts == [])
    // A trend through runs whose neighbours are no more alike than others.
    let mixed = [11.1, 10, 11.5, 10.3, 10.7, 11, 10.6, 10.2]
    let sorted = report([try condition("idle", mixed, at: [6, 0, 7, 2, 4, 5, 3, 1])])
    #expect(sorted.doubts.first?.contains("they drift") == true)
  }

  @Test("runs correlated with the one before count as fewer, and the report says so")
  func correlated() throws {
    let currents = [Double](repeating: 10, count: 4) + [Double](repeating: 12, count: 4)
    let alike = report([try condition("idle", currents + currents)])
    let apart = report([try condition("idle", (0..<16).map { $0 % 2 == 0 ? 10 : 12 })])
    let doubt = try #require(alike.doubts.first)
    #expect(doubt.contains("each run resembles the previous one (correlation 0.6"))
    #expect(alike.doubts.count == 1 && apart.doubts == [])
    let wide = try #require(alike.lines[0].interval)
    let narrow = try #require(apart.lines[0].interval)
    #expect(wide.halfWidth > 2 * narrow.halfWidth && wide.method == .correlatedRuns)
    #expect(alike.lines[0].runsNeeded == nil && apart.lines[0].runsNeeded != nil)
    #expect(alike.text.contains("Student's t of correlated runs"))
  }

  /// Twelve pairs, half an hour apart, of a board that warms up and draws the same in both
  /// conditions.
  @Test("drifting currents of pairs in a fixed order are reported", arguments: [true, false])
  func fixedOrder(isFixed: Bool) throws {
    var (a, b): ([(Double, Double)], [(Double, Double)]) = ([], [])
    for pair in 0..<12 {
      let hours = [Double(pair), Double(pair) + 0.5]
      let noise = pair % 3 == 0 ? 0.05 : -0.02
      let swapped = !isFixed && pair % 2 == 1
      a.append((10 + 0.2 * hours[swapped ? 1 : 0] + noise, hours[swapped ? 1 : 0]))
      b.append((10 + 0.2 * hours[swapped ? 0 : 1] - noise, hours[swapped ? 0 : 1]))
    }
    let conditions = [
      try condition("a", a.map(\.0), at: a.map(\.1)),
      try condition("b", b.map(\.0), at: b.map(\.1)),
    ]
    let report = report(conditions, paired: true)
    let told = report.doubts.filter { $0.contains("same order") }
    #expect(told.count == (isFixed ? 1 : 0))
    if isFixed {
      #expect(told[0].contains("which makes 0.100 mA of the difference"))
      // The rest is noise.
      #expect(told[0].contains("would be -0.007 mA"))
    }
    #expect(report.doubts.count == (isFixed ? 3 : 2), "each condition drifts, too")
  }

  /// 0.5 mA of each reading (k = 1), and the scatter of the runs.
  @Test("the expanded result has both uncertainties") func expanded() throws {
    let report = report([try condition("idle", [10, 11, 9, 10, 10.5, 9.5])])
    let half = try #require(report.lines[0].interval).halfWidth * 1000
    let expanded = try #require(report.json(program: "godwit")["conditions"]?.array?.first)
    let told = try #require(expanded["current_expanded_uncertainty_mA"]?.number)
    #expect((told - (half * half + 1).squareRoot()).magnitude < 1e-5)
    #expect(report.text.contains("± total mA"))
  }

  @Test("one run has no interval") func single() throws {
    let report = report([try condition("a", [5]), try condition("b", [6])])
    #expect(report.lines.allSatisfy { $0.interval == nil && $0.runsNeeded == nil })
    #expect(report.text.contains("one run: no interval"))
    #expect(report.json(program: "godwit")["differences"]?.array?.count == 1)
  }

  @Test("a hostile name stays text in the page and in the figure") func hostile() throws {
    let report = report([try condition("<script>alert(1)</script>\u{1b}[2J", [5, 6])])
    for text in [report.page, report.chart.file].map({ String(decoding: $0, as: UTF8.self) }) {
      #expect(!text.contains("<script>") && !text.contains("\u{1b}"))
    }
    #expect(!report.text.contains("\u{1b}"))
  }

  @Test("the figure has a line for each run, broken where time is missing") func chart() throws {
    var gap = WrittenRecording.steady(5, for: 60)
    gap.samples.removeAll { $0.time > 20 && $0.time < 40 }
    let report = report([
      TestedCondition(
        name: "a", runs: [try gap.run(), try WrittenRecording.steady(6, for: 60).run()])
    ])
    let svg = String(decoding: report.chart.file, as: UTF8.self)
    #expect(svg.split(separator: "<polyline").count == 1 + 3)
    #expect(svg.contains("time since the first reading (s)"))
    let rows = String(decoding: report.chartData, as: UTF8.self).split(separator: "\n")
    #expect(rows.first == "condition,file,time_s,charge_mAh,after_gap")
    #expect(rows.count == 1 + 402 + 601)
  }

  @Test("runs made with different settings are compared only with a warning")
  func changedSettings() throws {
    func run(_ settings: String) throws -> RecordedRun {
      var recording = WrittenRecording.steady(5, for: 60)
      recording.metadata = #"{"provenance":{"settings":\#(settings),"boards":[]}}"#
      return try recording.run()
    }
    let same = try run(#"{"gnss.supply_V":3.3}"#)
    let other = try run(#"{"gnss.supply_V":5}"#)
    let changed = report([TestedCondition(name: "a", runs: [same, other])])
    #expect(changed.doubts.contains { $0.contains("settings were changed") })
    #expect(report([TestedCondition(name: "a", runs: [same, same])]).doubts == [])
    let json = changed.json(program: "godwit")
    #expect(json["provenances"]?.array?.count == 2)
  }

  @Test("a report shows each state's current, the cost of a fix and the current at transitions")
  func states() throws {
    var recording = WrittenRecording.steady(40, for: 60)
    recording.metadata = #"{"start_boottime_s":100,"window_s":0.01}"#
    recording.samples = recording.samples.map { ($0.time, $0.time < 20 ? 1 : 40) }
    let events = RunEvents([
      RunEvent(.receiver(state: "off"), at: .zero + 50),
      RunEvent(.receiver(state: "tracking"), at: .zero + 119.95),
      RunEvent(.fix, at: .zero + 130), RunEvent(.fix, at: .zero + 140),
      RunEvent(.visit(id: 3), at: .zero + 141), RunEvent(.visit(id: 3), at: .zero + 142),
      RunEvent(.fix, at: .zero + 990), RunEvent(.end, at: .zero + 991),
    ])
    var reader = RecordingReader(file: "a.json", events: events)
    try Array(recording.json.utf8).withUnsafeBufferPointer { try reader.feed($0) }
    let condition = TestedCondition(name: "a", runs: [try reader.finish()])
    #expect(condition.fixes == 2 && condition.visits == 1)
    #expect(condition.states.map(\.state) == ["off", "tracking"])
    // 19.95 s of 1 mA and 40.05 s of 40 mA at 5 V.
    #expect((condition.states[0].charge.energy.value - 0.09975).magnitude < 1e-6)
    #expect((condition.states[1].charge.energy.value - 8.01).magnitude < 1e-6)
    let all = try #require(condition.energyPerFix.value) * 2
    let states = condition.states.reduce(0) { $0 + $1.charge.energy.value }
    #expect((all - states - (try #require(condition.rest).energy.value)).magnitude < 1e-9)
    let text = report([condition]).text
    #expect(text.contains("By the receiver's state:") && text.contains("Energy by fix"))
  }
}
