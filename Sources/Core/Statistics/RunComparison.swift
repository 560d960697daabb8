/// The same figure of two variants, A and B: how much B differs from A.
public struct RunComparison: Hashable, Sendable {
  public let a: RunStatistics
  let b: RunStatistics
  /// Whether the runs of each number were made together, so that common influences (a warm board,
  /// the satellite geometry of a day) cancel out.
  public let isPaired: Bool

  /// Runs that are paired by their place in the order.
  public init?(pairs a: [Double], _ b: [Double]) {
    guard a.count == b.count else { return nil }
    let finite = zip(a, b).filter { $0.isFinite && $1.isFinite }
    self.a = RunStatistics(finite.map(\.0))
    self.b = RunStatistics(finite.map(\.1))
    isPaired = true
  }

  /// Independent runs.
  public init(apart a: RunStatistics, _ b: RunStatistics) {
    self.a = a
    self.b = b
    isPaired = false
  }

  private var differences: RunSequence {
    RunSequence(zip(a.values, b.values).map { $1 - $0 })
  }

  /// The mean of B minus the mean of A.
  public var difference: Double? {
    guard let first = a.mean, let second = b.mean else { return nil }
    return second - first
  }

  /// The interval of the difference; nil with fewer than two runs of either.
  public func interval(using random: inout some RandomNumberGenerator) -> ConfidenceInterval? {
    if isPaired { return differences.interval(using: &random) }
    guard let difference, let error = standardErrorApart else { return nil }
    if min(a.count, b.count) >= RunStatistics.fewestForBootstrap,
      let bounds = StudentizedBootstrap.bounds(
        RunStatistics.resamples, draw: { tApart(using: &random) })
    {
      return ConfidenceInterval(
        low: difference - bounds.upper * error, high: difference - bounds.lower * error,
        method: .studentizedBootstrap)
    }
    let reach = StudentT.quantile975(degreesOfFreedom: degreesOfFreedomApart) * error
    return ConfidenceInterval(low: difference - reach, high: difference + reach, method: .studentT)
  }

  private var standardErrorApart: Double? {
    guard let first = a.standardErrorOfMean, let second = b.standardErrorOfMean else { return nil }
    return (first * first + second * second).squareRoot()
  }

  private func tApart(using random: inout some RandomNumberGenerator) -> Double {
    let (first, second) = (a.resampled(using: &random), b.resampled(using: &random))
    return StudentizedBootstrap.t(
      second.distance - first.distance,
      (first.squaredError + second.squaredError).squareRoot())
  }

  /// Welch, Biometrika 34 (1947) 28.
  private var degreesOfFreedomApart: Double {
    let first = (a.standardErrorOfMean ?? 0) * (a.standardErrorOfMean ?? 0)
    let second = (b.standardErrorOfMean ?? 0) * (b.standardErrorOfMean ?? 0)
    let below = first * first / Double(a.count - 1) + second * second / Double(b.count - 1)
    guard below > 0 else { return Double(a.count + b.count - 2) }
    return (first + second) * (first + second) / below
  }

  /// The difference in units of the scatter of single runs: 0.2 is small, 0.8 large. The difference
  /// divided by the root of the mean variance, corrected for the bias of few runs (Hedges, Journal
  /// of Educational Statistics 6 (1981) 107). Nil without scatter.
  public var effectSize: Double? {
    guard let difference, let first = a.standardDeviation, let second = b.standardDeviation
    else { return nil }
    let scatter = ((first * first + second * second) / 2).squareRoot()
    guard scatter > 0 else { return nil }
    let freedom = Double(a.count + b.count - 2)
    return difference / scatter * (1 - 3 / (4 * freedom - 1))
  }
}
