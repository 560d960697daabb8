import Notation
import Quantities
import Statistics

/// The cells of a report, for the terminal and the page alike.
struct PowerReportCells {
  let report: PowerReport

  var conditionHeads: [String] {
    let share = FixedDecimal.text(100 * report.options.wantedHalfWidth, digits: 1)
    let short = share.hasSuffix(".0") ? String(share.dropLast(2)) : share
    return [
      "condition", "runs", "measured", "mean mA", "± mA", "SD mA", "95 % interval mA", "peak mA",
      "mean mW", "mAh", "mWh", "runs for ± \(short) %",
    ]
  }

  var conditions: [[String]] { report.lines.map(cells) }

  private func cells(_ line: PowerReport.Line) -> [String] {
    let condition = line.condition
    let currents = condition.currents
    let (mean, systematic) = (currents.mean, condition.systematicCurrent)
    return [
      TerminalText.line(condition.name), "\(condition.runs.count)", condition.measured.inWords,
      condition.isBelowFloor ? "below floor" : milliamperes(mean),
      milliamperes(systematic?.value), milliamperes(currents.standardDeviation),
      Self.interval(line.interval), milliamperes(condition.peakCurrent?.value),
      Self.text(condition.powers.mean.map { $0 * 1000 }),
      Self.text(condition.charge.milliampereHours), Self.text(condition.energy.value / 3.6),
      line.runsNeeded.map { "\($0)" } ?? "-",
    ]
  }

  static let differenceHeads = [
    "difference", "mA", "95 % interval mA", "%", "effect size", "method",
  ]

  var differences: [[String]] {
    report.differences.map { difference in
      [
        TerminalText.line("\(difference.name) less \(difference.baseline)"),
        milliamperes(difference.mean), Self.interval(difference.interval),
        difference.share.map { FixedDecimal.text(100 * $0, digits: 2) } ?? "-",
        difference.effectSize.map { FixedDecimal.text($0, digits: 2) } ?? "-",
        Self.method(difference.interval, isPaired: difference.isPaired),
      ]
    }
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

  /// Four digits that count.
  private static func text(_ value: Double?) -> String {
    guard let value else { return "-" }
    let size = value.magnitude
    return FixedDecimal.text(value, digits: size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 4)
  }
}
