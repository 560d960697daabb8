/// The mean, scatter and correlation of adjacent values of a sequence, in constant memory (Welford,
/// Technometrics 4 (1962) 419).
struct Neighbours: Hashable, Sendable {
  /// For a change as slow as the series is long, the correlation cannot be distinguished from 1.
  private static let correlations = -0.5...0.95

  private(set) var count = 0
  private(set) var mean = 0.0
  private(set) var last = 0.0
  private var squares = 0.0
  private var squaredSteps = 0.0

  mutating func add(_ value: Double) {
    count += 1
    let distance = value - mean
    mean += distance / Double(count)
    squares += distance * (value - mean)
    if count > 1 { squaredSteps += (value - last) * (value - last) }
    last = value
  }

  /// Nil with fewer than two values.
  var variance: Double? { count > 1 ? squares / Double(count - 1) : nil }

  /// The correlation of adjacent values: 0 on average for independent values (von Neumann, Ann.
  /// Math. Stat. 12 (1941) 367).
  var correlation: Double {
    guard squares > 0, count > 2 else { return 0 }
    return 1 - squaredSteps / squares / 2
  }

  /// The number of independent values with the same uncertainty, if the correlation decays
  /// geometrically (Bartlett, J. R. Stat. Soc. Suppl. 8 (1946) 27).
  var effectiveCount: Double {
    let r = boundedCorrelation
    return Double(count) * (1 - r) / (1 + r)
  }

  /// For Student's t: how well this many values and their correlation, whose own variance is (1 -
  /// r²) / n, determine the standard error.
  var degreesOfFreedom: Double {
    let square = boundedCorrelation * boundedCorrelation
    return max(1, min(Double(count - 1), Double(count) * (1 - square) / (3 - square)))
  }

  private var boundedCorrelation: Double {
    max(Self.correlations.lowerBound, min(correlation, Self.correlations.upperBound))
  }
}
