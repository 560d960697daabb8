import Core

/// The cells of a report, for the terminal and the page.
struct PowerReportCells {
  let report: PowerReport

  var conditionHeads: [String] {
    let share = FixedDecimal.text(100 * report.options.wantedHalfWidth, digits: 1)
    let short = share.hasSuffix(".0") ? String(share.dropLast(2)) : share
    return [
      "condition", "runs", "measured", "mean mA", "± mA", "SD mA", "95 % interval mA",
      "± total mA", "peak mA", "mean mW", "mAh", "mWh", "runs for ± \(short) %",
    ]
  }

  var conditions: [[String]] { report.lines.map(cells) }

  private func cells(_ line: PowerReport.Line) -> [String] {
    let condition = line.condition
    let currents = condition.currents
    let (mean, systematic) = (currents.mean, condition.systematicCurrent)
    return [
      condition.title, "\(condition.runs.count)", condition.measured.inWords,
      condition.isBelowFloor ? "below floor" : milliamperes(mean),
      milliamperes(systematic?.value), milliamperes(currents.standardDeviation),
      Self.interval(line.interval), milliamperes(line.expanded),
      milliamperes(condition.peakCurrent?.value),
      Self.text(condition.powers.mean.map { $0 * 1000 }),
      Self.text(condition.charge.milliampereHours), Self.text(condition.energy.value / 3.6),
      line.runsNeeded.map { "\($0)" } ?? "-",
    ]
  }

  struct Table {
    let title: String
    let heads: [String]
    let rows: [[String]]
  }

  /// The tables with rows.
  var furtherTables: [Table] { [differences, states, starts, yields].filter { !$0.rows.isEmpty } }

  private var differences: Table {
    let rows = report.differences.map { difference in
      [
        "\(difference.name) minus \(difference.baseline)",
        milliamperes(difference.mean), Self.interval(difference.interval),
        difference.share.map { FixedDecimal.text(100 * $0, digits: 2) } ?? "-",
        difference.effectSize.map { FixedDecimal.text($0, digits: 2) } ?? "-",
        Self.method(difference.interval, isPaired: difference.isPaired),
      ]
    }
    return Table(
      title: "Differences",
      heads: ["difference", "mA", "95 % interval mA", "%", "effect size", "method"], rows: rows)
  }

  /// The draw of the receiver in each of its states.
  private var states: Table {
    var rows: [[String]] = []
    for line in report.lines {
      let name = line.condition.title
      for (figures, interval) in line.states { rows.append(cells(name, figures, interval)) }
      guard let rest = line.condition.rest, rest.measured >= 1 || rest.energy != 0 else { continue }
      var row = [name, "changes", rest.measured.inWords]
      row += Self.amounts(rest)
      row += [String](repeating: "-", count: 6)
      rows.append(row)
    }
    return Table(
      title: "By the receiver's state",
      heads: [
        "condition", "state", "measured", "mAh", "mWh", "mean mA", "± mA", "SD mA",
        "95 % interval mA", "peak mA", "not reported",
      ], rows: rows)
  }

  private func cells(
    _ condition: String, _ figures: StateFigures, _ interval: ConfidenceInterval?
  ) -> [String] {
    let charge = figures.charge
    let mean = charge.isBelowFloor ? "below floor" : milliamperes(charge.meanCurrent?.value)
    var row = [condition, figures.state, charge.measured.inWords]
    row += Self.amounts(charge)
    row += [
      mean, milliamperes(charge.systematicCurrent?.value),
      milliamperes(figures.currents.standardDeviation),
      Self.interval(interval), milliamperes(charge.peak?.value),
      (charge.missing + charge.unresolved).inWords,
    ]
    return row
  }

  private static func amounts(_ charge: StateCharge) -> [String] {
    [text(charge.charge.milliampereHours), text(charge.energy.value / 3.6)]
  }

  private var starts: Table {
    let rows = report.lines.map(\.condition).compactMap { condition -> [String]? in
      let times = condition.timesToFirstFix
      guard !times.isEmpty || condition.searchesGivenUp > 0 else { return nil }
      func seconds(_ time: Seconds?) -> String { Self.text(time?.value) }
      return [
        condition.title, "\(times.count)", seconds(Ranks.percentile(0.1, times)),
        seconds(Ranks.median(times)), seconds(Ranks.percentile(0.9, times)), seconds(times.last),
        "\(condition.searchesGivenUp)",
      ]
    }
    return Table(
      title: "Times to first fix",
      heads: [
        "condition", "searches with a fix", "10 % s", "median s", "90 % s", "longest s", "without",
      ], rows: rows)
  }

  /// Energy by results.
  private var yields: Table {
    let rows = report.lines.compactMap { line -> [String]? in
      guard let fixes = line.condition.fixes, let visits = line.condition.visits else { return nil }
      var row = [line.condition.title, "\(fixes)"]
      row += Self.ratio(line.condition.energyPerFix)
      row.append("\(visits)")
      row += Self.ratio(line.condition.energyPerVisit)
      return row
    }
    return Table(
      title: "Energy by fix and by visit",
      heads: ["condition", "fixes", "J a fix", "± J (95 %)", "visits", "J a visit", "± J (95 %)"],
      rows: rows)
  }

  private static func ratio(_ ratio: RatioOfSums) -> [String] {
    [text(ratio.value), text(ratio.value == nil ? nil : ratio.margin95)]
  }

  static func method(_ interval: ConfidenceInterval?, isPaired: Bool) -> String {
    guard let interval else { return "one run: no interval" }
    return interval.method.rawValue + (isPaired ? ", paired" : "")
  }

  private static func interval(_ interval: ConfidenceInterval?) -> String {
    guard let interval else { return "-" }
    return text(interval.low * 1000) + " to " + text(interval.high * 1000)
  }

  private func milliamperes(_ amperes: Double?) -> String { Self.text(amperes.map { $0 * 1000 }) }

  /// Four significant digits.
  private static func text(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "-" }
    let size = value.magnitude
    return FixedDecimal.text(value, digits: size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 4)
  }
}
