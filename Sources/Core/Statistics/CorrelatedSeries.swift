/// Mean and scatter of a series of readings at equal times, of which neighbours may be alike: a
/// load that changes within seconds is read many times before it does. Takes any number of readings
/// in next to no memory.
///
/// How far the mean may be off is told by the means of blocks of two, four, eight readings and so
/// on (Flyvbjerg and Petersen, J. Chem. Phys. 91 (1989) 461): of blocks that are long enough for
/// neighbours to have nothing to do with each other, the scatter is what it seems.
public struct CorrelatedSeries: Sendable {
  /// Of fewer blocks the scatter says too little.
  private static let fewestBlocks = 8
  /// Neighbours are alike if their correlation is so many of its own standard errors.
  private static let significance = 2.0

  /// Of single readings, and of the means of blocks, each twice as long as the one before.
  private var levels = [Neighbours()]

  public init() {}

  public mutating func take(_ value: Double) {
    var mean = value
    var index = 0
    while true {
      if index == levels.count { levels.append(Neighbours()) }
      let before = levels[index].last
      levels[index].take(mean)
      guard levels[index].count % 2 == 0 else { return }
      mean = (before + mean) * 0.5
      index += 1
    }
  }

  public var count: Int { levels[0].count }
  /// Nil of none.
  public var mean: Double? { count > 0 ? levels[0].mean : nil }
  /// Of single readings; nil of fewer than two.
  public var standardDeviation: Double? { levels[0].variance.map { $0.squareRoot() } }

  /// How well the mean is known from this series.
  public struct MeanUncertainty: Hashable, Sendable {
    /// Standard uncertainty: how far the means of such series scatter.
    public let standard: Double
    /// How many readings that had nothing to do with each other would tell as much.
    public let effectiveCount: Double
    /// How well the standard uncertainty is known itself.
    let degreesOfFreedom: Double

    /// Half of an interval that holds the true mean with a confidence of 95 %.
    public var margin95: Double {
      standard == 0 ? 0 : standard * StudentT.quantile975(degreesOfFreedom: degreesOfFreedom)
    }
  }

  /// Nil of fewer than two readings.
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

  /// The shortest blocks whose neighbours are not alike, or those that are just enough.
  private var uncorrelated: Int {
    let enough = levels.lastIndex { $0.count >= Self.fewestBlocks } ?? 0
    let alike = levels[...enough].lastIndex {
      $0.correlation > Self.significance / Double($0.count).squareRoot()
    }
    return min(enough, alike.map { $0 + 1 } ?? 0)
  }
}
