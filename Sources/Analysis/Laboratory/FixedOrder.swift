import Core

/// Pairs of runs that were all made in one order, so that drift from run to run appears as a
/// difference.
struct FixedOrder {
  /// The contribution of drift to the difference, in amperes, by the trend of the pairs.
  private let drift: Double
  private let isProbable: Bool

  /// Nil where the times of the runs are unknown, or the order changes.
  init?(_ first: TestedCondition, _ second: TestedCondition) {
    guard let before = first.startOfEachRun, let after = second.startOfEachRun,
      before.count == after.count, before.count > 1
    else { return nil }
    let delays = zip(before, after).map { $1 - $0 }
    guard delays.allSatisfy({ $0 > 0 }) || delays.allSatisfy({ $0 < 0 }) else { return nil }
    let pairs = zip(first.currentOfEachRun, second.currentOfEachRun).map { ($0 + $1) / 2 }
    let trend = RunSequence(pairs, at: zip(before, after).map { ($0 + $1) / 2 }).trend
    isProbable = trend?.isProbable ?? false
    drift = (trend?.slope ?? 0) * delays.reduce(0, +) / Double(delays.count)
  }

  /// The doubt about a difference with that mean, in amperes.
  func doubt(of difference: String, mean: Double?) -> String? {
    guard isProbable, let mean else { return nil }
    return "\(difference): every pair was made in the same order while the current drifted, which "
      + "makes \(Self.milliamperes(drift)) of the difference: without it, that would be "
      + "\(Self.milliamperes(mean - drift)); change the order from pair to pair"
  }

  private static func milliamperes(_ current: Double) -> String {
    FixedDecimal.text(current * 1000, digits: 3) + " mA"
  }
}
