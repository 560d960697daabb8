/// One figure of several runs of the same experiment: energies, times, charges, in any unit.
public struct RunStatistics: Hashable, Sendable {
  /// Finite values only.
  public let values: [Double]

  /// - Parameter values: non-finite values are left out.
  public init(_ values: [Double]) { self.values = values.filter(\.isFinite) }

  public var count: Int { values.count }

  /// Nil without runs.
  public var mean: Double? {
    guard !values.isEmpty else { return nil }
    return values.reduce(0, +) / Double(count)
  }

  /// The estimate for the population (n − 1); nil with fewer than two runs.
  public var standardDeviation: Double? {
    guard count > 1, let mean else { return nil }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / Double(count - 1)).squareRoot()
    // Equal values leave the rounding error only.
    return deviation > 1e-12 * mean.magnitude ? deviation : 0
  }

  var standardErrorOfMean: Double? {
    standardDeviation.map { $0 / Double(count).squareRoot() }
  }

  /// The total number of runs until the interval's half-width is the given share of the mean, if
  /// the scatter stays the same. It is an estimate: few runs determine their own scatter badly.
  /// - Parameter share: 0.05 is ± 5 %.
  /// - Returns: at least two; nil with fewer than two runs, without a mean, or beyond a million.
  public func runsNeeded(forHalfWidth share: Double) -> Int? {
    guard let mean, let deviation = standardDeviation, mean != 0, share > 0 else { return nil }
    let wanted = mean.magnitude * share
    func isEnough(_ runs: Int) -> Bool {
      let t = StudentT.quantile975(degreesOfFreedom: Double(runs - 1))
      return t * deviation / Double(runs).squareRoot() <= wanted
    }
    var enough = 2
    while !isEnough(enough) {
      guard enough < 1_000_000 else { return nil }
      enough *= 2
    }
    // Bisection for the smallest number: more runs never widen the interval.
    var tooFew = enough / 2
    while enough - tooFew > 1 {
      let middle = (enough + tooFew) / 2
      if isEnough(middle) { enough = middle } else { tooFew = middle }
    }
    return max(2, enough)
  }
}
