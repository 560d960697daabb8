import Core

/// The number of intervals, and how many of them contain the truth.
struct Coverage {
  private var told = 0
  private var held = 0

  mutating func take(_ low: Double?, _ high: Double?, truth: Double) {
    guard let low, let high else { return }
    take(low <= truth && truth <= high)
  }

  mutating func take(_ isHeld: Bool) {
    told += 1
    if isHeld { held += 1 }
  }

  /// `94.6 % (93.5 to 95.5)`, itself with a confidence of 95 %.
  var text: String {
    guard told > 0 else { return "-" }
    let proportion = Proportion(held, of: told)
    func percent(_ share: Double) -> String { FixedDecimal.text(100 * share, digits: 1) }
    return "\(percent(proportion.share)) % "
      + "(\(percent(proportion.low)) to \(percent(proportion.high)))"
  }
}
