import Core

/// The idle board before and after the test.
public struct BaselineDrift: Sendable {
  let before: RecordedRun
  let after: RecordedRun
  private let maxShare: Double

  /// - Parameter maxPercent: the allowed difference.
  public init(before: RecordedRun, after: RecordedRun, maxPercent: Double) {
    self.before = before
    self.after = after
    maxShare = maxPercent / 100
  }

  /// Relative to the first mean current: 0.1 is 10 % more; nil: unknown.
  var share: Double? {
    guard let first = before.meanCurrent, let second = after.meanCurrent, first.value != 0 else {
      return nil
    }
    return (second - first) / first.magnitude
  }

  /// Why the test is not reliable; nil: the baselines agree, or differ by less than the monitor's
  /// resolution.
  public var doubt: String? {
    guard let share, share.magnitude > maxShare, let first = before.meanCurrent,
      let second = after.meanCurrent,
      (second - first).magnitude > before.statisticalCurrent + after.statisticalCurrent
    else { return nil }
    return "the idle board drew \(Self.milliamperes(first)) mA before and "
      + "\(Self.milliamperes(second)) mA after, \(Self.change(share)) where "
      + "\(Self.percent(maxShare)) is allowed: it drifted"
  }

  /// "31.94 mA before, 32.01 mA after, 0.2 % more"; nil where it was not measured.
  var text: String? {
    guard let first = before.meanCurrent, let second = after.meanCurrent else { return nil }
    return "\(Self.milliamperes(first)) mA before, \(Self.milliamperes(second)) mA after"
      + (share.map { ", " + Self.change($0) } ?? "")
  }

  var json: JSONValue {
    .object([
      ("before_mA", .rounded(before.meanCurrent.map { $0.value * 1000 }, digits: 6)),
      ("after_mA", .rounded(after.meanCurrent.map { $0.value * 1000 }, digits: 6)),
      ("change_percent", .rounded(share.map { $0 * 100 }, digits: 3)),
    ])
  }

  private static func change(_ share: Double) -> String {
    "\(percent(share.magnitude)) \(share < 0 ? "less" : "more")"
  }

  private static func percent(_ share: Double) -> String {
    FixedDecimal.text(100 * share, digits: 1) + " %"
  }

  private static func milliamperes(_ current: Amperes) -> String {
    FixedDecimal.text(current.value * 1000, digits: 2)
  }
}
