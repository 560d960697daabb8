/// A ratio of two sums over independent parts, such as joules over days of several traces, and its
/// uncertainty.
public struct RatioOfSums: Sendable {
  /// The contribution of one part to the sums.
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

  /// Nil if the denominator is zero.
  public var value: Double? { denominator > 0 ? numerator / denominator : nil }

  /// The half-width of the interval that contains the true ratio with a confidence of 95 %:
  /// Student's t times the jackknife's standard error (each part left out once; B. Efron, The
  /// Jackknife, the Bootstrap and Other Resampling Plans, 1982, chapter 3). Nil with fewer than two
  /// parts.
  public var margin95: Double? {
    let count = Double(parts.count)
    let ratios = parts.compactMap { part -> Double? in
      let rest = denominator - part.denominator
      return rest > 0 ? (numerator - part.numerator) / rest : nil
    }
    guard ratios.count >= 2, ratios.count == parts.count else { return nil }
    let mean = ratios.reduce(0, +) / count
    let squares = ratios.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return StudentT.quantile975(degreesOfFreedom: count - 1)
      * ((count - 1) / count * squares).squareRoot()
  }
}
