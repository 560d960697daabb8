import Core

/// The sequence of runs: drift or correlation from one to the next makes intervals too narrow, and
/// in a fixed order adds to the differences.
extension TestedCondition {
  /// Their mean currents, in amperes.
  var sequence: RunSequence { RunSequence(currentOfEachRun, at: startOfEachRun) }

  /// In seconds since 1970; nil if a recording does not state it.
  var startOfEachRun: [Double]? {
    let starts = runs.compactMap { run in run.details.start.flatMap { ISO8601.parse($0) } }
    guard starts.count == runs.count else { return nil }
    return starts.map { Double($0.nanoseconds) / 1e9 }
  }

  /// The doubt about the interval of their mean.
  var doubtOfInterval: String? {
    let sequence = sequence
    let independent = FixedDecimal.text(max(1, sequence.effectiveCount), digits: 1)
    if let trend = sequence.trend, trend.isCertain {
      return "\(title): the mean current \(trend.change > 0 ? "rises" : "falls") by "
        + "\(Self.text(trend.change, of: sequence.figures.mean)) from "
        + "the first run to the last, more than by chance: they drift, and their interval "
        + (sequence.isCorrelated
          ? "counts them as no more than \(independent) independent ones"
          : "contains other runs less often than 95 %")
    }
    guard let correlation = sequence.correlation else { return nil }
    return "\(title): each run resembles the previous one (correlation "
      + "\(FixedDecimal.text(correlation, digits: 2))), so that \(runs.count) runs count no more "
      + "than \(independent) independent ones: more runs do not help unless they are farther apart"
  }

  /// `0.152 mA (1.5 %)`, of an amount in amperes.
  static func text(_ amount: Double, of whole: Double?) -> String {
    let share = whole.flatMap { $0 == 0 ? nil : 100 * (amount / $0).magnitude }
    return FixedDecimal.text(amount.magnitude * 1000, digits: 3) + " mA"
      + (share.map { " (\(FixedDecimal.text($0, digits: 1)) %)" } ?? "")
  }
}
