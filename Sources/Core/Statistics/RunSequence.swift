import Glibc

/// The same figure of several runs in the order of time. Confidence intervals assume that
/// consecutive runs are independent.
public struct RunSequence: Sendable {
  /// With fewer runs no order is improbable enough to be significant.
  static let fewest = 6
  /// Quantiles of the standard normal distribution that are exceeded by chance with a probability
  /// of 10 % (one-sided), 5 % (two-sided), 1 % (one-sided) and 1 % (two-sided).
  private enum Chance {
    static let tenth = 1.2816
    static let twentiethOfBoth = 1.9600
    static let hundredth = 2.3263
    static let hundredthOfBoth = 2.5758
  }

  public let figures: RunStatistics
  /// In the order of time, with their moments.
  private let runs: [(moment: Double, value: Double)]
  private let neighbours: Neighbours

  /// - Parameter moments: when the runs were made; nil or not all different: consecutive.
  public init(_ values: [Double], at moments: [Double]? = nil) {
    figures = RunStatistics(values)
    let isDated = moments?.count == values.count && Set(moments ?? []).count == values.count
    let places = isDated ? moments ?? [] : values.indices.map { Double($0) }
    runs = zip(places, values).filter { $0.isFinite && $1.isFinite }.map { ($0, $1) }
      .sorted { $0.moment < $1.moment }
    var neighbours = Neighbours()
    for run in runs { neighbours.add(run.value) }
    self.neighbours = neighbours
  }

  /// Whether the scatter exceeds the rounding error.
  private var hasScatter: Bool { (figures.standardDeviation ?? 0) > 0 }

  // MARK: Drift

  /// A linear regression through the runs.
  public struct Trend: Hashable, Sendable {
    /// From the first run to the last.
    public let change: Double
    /// Per unit of the moments.
    public let slope: Double
    /// Chance causes such a trend with a probability below 1 %.
    public let isCertain: Bool
    /// Chance causes such a trend with a probability below 5 %.
    public let isProbable: Bool
  }

  /// Nil with fewer than four runs, or without scatter. The significance comes from Fisher's
  /// transformation of the correlation (Metron 1 (1921) 3).
  public var trend: Trend? {
    guard runs.count > 3, hasScatter, let first = runs.first, let last = runs.last
    else { return nil }
    let count = Double(runs.count)
    let middle = runs.reduce(0) { $0 + $1.moment } / count
    var (times, values, products) = (0.0, 0.0, 0.0)
    for run in runs {
      let (time, value) = (run.moment - middle, run.value - neighbours.mean)
      times += time * time
      values += value * value
      products += time * value
    }
    guard times > 0, values > 0 else { return nil }
    let correlation = products / (times * values).squareRoot()
    let deviation = atanh(max(-1, min(correlation, 1))).magnitude * (count - 3).squareRoot()
    let slope = products / times
    return Trend(
      change: slope * (last.moment - first.moment), slope: slope,
      isCertain: runs.count >= Self.fewest && deviation > Chance.hundredthOfBoth,
      isProbable: deviation > Chance.twentiethOfBoth)
  }

  // MARK: Autocorrelation

  /// The correlation of adjacent runs, if chance causes it with a probability below 1 %.
  public var correlation: Double? {
    correlationDeviation > Chance.hundredth ? neighbours.correlation : nil
  }

  /// The number of independent runs with the same uncertainty.
  public var effectiveCount: Double { neighbours.effectiveCount }

  /// In standard deviations (von Neumann 1941).
  private var correlationDeviation: Double {
    let count = Double(runs.count)
    guard runs.count >= Self.fewest, hasScatter else { return 0 }
    return neighbours.correlation / ((count - 2) / (count * count - 1)).squareRoot()
  }

  /// Whether the interval accounts for the correlation. The threshold is lower than that for
  /// reporting, because an interval that is too narrow is worse than one that is too wide.
  public var isCorrelated: Bool { correlationDeviation > Chance.tenth }

  /// Nil with fewer than two runs.
  /// - Parameter random: draws the resamples.
  public func interval(using random: inout some RandomNumberGenerator) -> ConfidenceInterval? {
    guard isCorrelated, let mean = figures.mean, let variance = neighbours.variance else {
      return figures.interval(using: &random)
    }
    let t = StudentT.quantile975(degreesOfFreedom: neighbours.degreesOfFreedom)
    let reach = t * (variance / neighbours.effectiveCount).squareRoot()
    return ConfidenceInterval(low: mean - reach, high: mean + reach, method: .correlatedRuns)
  }
}
