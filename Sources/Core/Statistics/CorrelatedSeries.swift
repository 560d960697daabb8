/// The mean and scatter of a series of readings at equal intervals, which may be autocorrelated: a
/// load that changes within seconds is read many times in between. Memory grows with the logarithm
/// of the number of readings.
///
/// The uncertainty of the mean comes from the means of blocks of two, four, eight readings and so
/// on (Flyvbjerg and Petersen, J. Chem. Phys. 91 (1989) 461). Blocks that are long enough are
/// uncorrelated, so that their scatter is a valid estimate.
public struct CorrelatedSeries: Sendable {
  /// With fewer blocks the estimate of the scatter is too inaccurate.
  private static let fewestBlocks = 8
  /// Neighbours count as correlated if the correlation exceeds this many of its standard errors.
  private static let significance = 2.0

  /// Level 0 has the single readings; each further level has the means of blocks twice as long.
  private var levels = [Neighbours()]

  public init() {}

  public mutating func add(_ value: Double) {
    var mean = value
    var index = 0
    while true {
      if index == levels.count { levels.append(Neighbours()) }
      let before = levels[index].last
      levels[index].add(mean)
      guard levels[index].count % 2 == 0 else { return }
      mean = (before + mean) * 0.5
      index += 1
    }
  }

  public var count: Int { levels[0].count }
  /// Nil without readings.
  public var mean: Double? { count > 0 ? levels[0].mean : nil }
  /// The standard deviation of single readings; nil with fewer than two.
  public var standardDeviation: Double? { levels[0].variance.map { $0.squareRoot() } }

  /// The uncertainty of the mean of this series.
  public struct MeanUncertainty: Hashable, Sendable {
    /// Standard uncertainty: the scatter of the means of such series.
    public let standard: Double
    /// The number of independent readings with the same uncertainty.
    public let effectiveCount: Double
    /// The degrees of freedom of the standard uncertainty.
    let degreesOfFreedom: Double

    /// The half-width of the interval that contains the true mean with a confidence of 95 %.
    public var margin95: Double {
      standard == 0 ? 0 : standard * StudentT.quantile975(degreesOfFreedom: degreesOfFreedom)
    }
  }

  /// Nil with fewer than two readings.
  public var uncertaintyOfMean: MeanUncertainty? {
    let level = levels[uncorrelated]
    guard let variance = level.variance else { return nil }
    guard variance != 0 else {
      return MeanUncertainty(
        standard: 0, effectiveCount: Double(count), degreesOfFreedom: Double(count))
    }
    let effective = level.effectiveCount
    return MeanUncertainty(
      standard: (variance / effective).squareRoot(),
      effectiveCount: min(Double(count), (levels[0].variance ?? 0) / variance * effective),
      degreesOfFreedom: level.degreesOfFreedom)
  }

  /// The level of the shortest uncorrelated blocks, or the last level with enough blocks.
  private var uncorrelated: Int {
    let enough = levels.lastIndex { $0.count >= Self.fewestBlocks } ?? 0
    let alike = levels[...enough].lastIndex {
      $0.correlation > Self.significance / Double($0.count).squareRoot()
    }
    return min(enough, alike.map { $0 + 1 } ?? 0)
  }
}
