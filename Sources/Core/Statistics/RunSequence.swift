import Glibc

/// The same figure of several runs in the order in which they were made: intervals suppose that no
/// run has to do with the one before.
public struct RunSequence: Sendable {
  /// With fewer no order is so rare that chance could not have made it.
  static let fewest = 6
  /// Quantiles of the standard normal distribution: what chance exceeds once in ten, in twenty (on
  /// both sides), in a hundred, and in a hundred on both sides.
  private enum Chance {
    static let tenth = 1.2816
    static let twentiethOfBoth = 1.9600
    static let hundredth = 2.3263
    static let hundredthOfBoth = 2.5758
  }

  public let figures: RunFigures
  /// In the order of time, with their moments.
  private let runs: [(moment: Double, value: Double)]
  private let neighbours: Neighbours

  /// - Parameter moments: when they were made; nil, or not all different: one after the other.
  public init(_ values: [Double], at moments: [Double]? = nil) {
    figures = RunFigures(values)
    let isDated = moments?.count == values.count && Set(moments ?? []).count == values.count
    let places = isDated ? moments ?? [] : values.indices.map { Double($0) }
    runs = zip(places, values).filter { $0.isFinite && $1.isFinite }.map { ($0, $1) }
      .sorted { $0.moment < $1.moment }
    var neighbours = Neighbours()
    for run in runs { neighbours.take(run.value) }
    self.neighbours = neighbours
  }

  /// More than the error of rounding.
  private var hasScatter: Bool { (figures.standardDeviation ?? 0) > 0 }

  // MARK: Drift

  /// A straight line through the runs.
  public struct Trend: Hashable, Sendable {
    /// From the first run to the last.
    public let change: Double
    /// For each unit of the moments.
    public let slope: Double
    /// Less than one in a hundred orders of such runs has as much.
    public let isCertain: Bool
    /// Less than one in twenty.
    public let isProbable: Bool
  }

  /// Nil of fewer than four runs, or without scatter. How sure it is by Fisher's transformation of
  /// the correlation (Metron 1 (1921) 3).
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

  // MARK: Runs like the one before

  /// How alike neighbours are, if chance makes them so in less than one order of a hundred.
  public var correlation: Double? {
    correlationDeviation > Chance.hundredth ? neighbours.correlation : nil
  }

  /// How many independent runs would tell as much.
  public var effectiveCount: Double { neighbours.effectiveCount }

  /// In standard deviations (von Neumann 1941).
  private var correlationDeviation: Double {
    let count = Double(runs.count)
    guard runs.count >= Self.fewest, hasScatter else { return 0 }
    return neighbours.correlation / ((count - 2) / (count * count - 1)).squareRoot()
  }

  /// Whether the interval allows for it: sooner than anybody is told, because one that is too
  /// narrow is worse than one that is too wide.
  public var isCorrelated: Bool { correlationDeviation > Chance.tenth }

  /// Nil with fewer than two runs.
  /// - Parameter random: what draws the resamples.
  public func interval(using random: inout some RandomNumberGenerator) -> ConfidenceInterval? {
    guard isCorrelated, let mean = figures.mean, let variance = neighbours.variance else {
      return figures.interval(using: &random)
    }
    let t = StudentT.quantile975(degreesOfFreedom: neighbours.degreesOfFreedom)
    let reach = t * (variance / neighbours.effectiveCount).squareRoot()
    return ConfidenceInterval(low: mean - reach, high: mean + reach, method: .correlatedRuns)
  }
}
