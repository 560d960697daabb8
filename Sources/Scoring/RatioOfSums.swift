import Quantities

/// A ratio of two sums over independent parts, such as joules over days of several traces, and how
/// surely it is known from so many parts.
public struct RatioOfSums: Sendable {
  /// What one part adds to the sums.
  public struct Part: Hashable, Sendable {
    public var numerator: Double
    public var denominator: Double

    public init(_ numerator: Double, over denominator: Double) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  private let parts: [Part]
  private let numerator: Double
  private let denominator: Double

  public init(_ parts: [Part]) {
    self.parts = parts
    numerator = parts.reduce(0) { $0 + $1.numerator }
    denominator = parts.reduce(0) { $0 + $1.denominator }
  }

  /// Nil where there is nothing to divide by.
  public var value: Double? { denominator > 0 ? numerator / denominator : nil }

  /// Half the width of the interval that holds the true ratio with a confidence of 95 %: Student's
  /// t times the jackknife's standard error (each part left out once; B. Efron, The Jackknife, the
  /// Bootstrap and Other Resampling Plans, 1982, chapter 3). Nil for fewer than two parts.
  public var margin95: Double? {
    let count = Double(parts.count)
    let ratios = parts.compactMap { part -> Double? in
      let rest = denominator - part.denominator
      return rest > 0 ? (numerator - part.numerator) / rest : nil
    }
    guard ratios.count >= 2, ratios.count == parts.count else { return nil }
    let mean = ratios.reduce(0, +) / count
    let squares = ratios.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return Self.studentT(parts.count - 1) * ((count - 1) / count * squares).squareRoot()
  }

  /// The quantile of 97.5 % of Student's t. From five degrees of freedom on by the expansion of
  /// Abramowitz and Stegun, 26.7.5, right to four digits there.
  static func studentT(_ degrees: Int) -> Double {
    let few = [12.7062, 4.3027, 3.1824, 2.7764]
    guard degrees > few.count else { return few[max(0, degrees - 1)] }
    let x = 1.959_964
    let v = Double(degrees)
    let x2 = x * x
    let first = x * (x2 + 1) / 4
    let second = x * ((5 * x2 + 16) * x2 + 3) / 96
    let third = x * (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384
    let fourth = x * ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92_160
    return x + (first + (second + (third + fourth / v) / v) / v) / v
  }
}
