/// Mean and scatter of values in their order, and how alike neighbours are. Takes any number of
/// them in the same memory (Welford, Technometrics 4 (1962) 419).
struct Neighbours: Hashable, Sendable {
  /// Of what changes as slowly as the series is long, the correlation cannot be told from one.
  private static let correlations = -0.5...0.95

  private(set) var count = 0
  private(set) var mean = 0.0
  private(set) var last = 0.0
  private var squares = 0.0
  private var squaredSteps = 0.0

  mutating func take(_ value: Double) {
    count += 1
    let distance = value - mean
    mean += distance / Double(count)
    squares += distance * (value - mean)
    if count > 1 { squaredSteps += (value - last) * (value - last) }
    last = value
  }

  /// Nil of fewer than two.
  var variance: Double? { count > 1 ? squares / Double(count - 1) : nil }

  /// Of one value and the next: 0 on average where they have nothing to do with each other (von
  /// Neumann, Ann. Math. Stat. 12 (1941) 367).
  var correlation: Double {
    guard squares > 0, count > 2 else { return 0 }
    return 1 - squaredSteps / squares / 2
  }

  /// How many of them count, if what is alike in neighbours fades from one to the next in the same
  /// measure (Bartlett, J. R. Stat. Soc. Suppl. 8 (1946) 27).
  var effectiveCount: Double {
    let r = boundedCorrelation
    return Double(count) * (1 - r) / (1 + r)
  }

  /// Of Student's t: how well the standard error is known by so many and their correlation, whose
  /// own variance is (1 - r²) / n.
  var degreesOfFreedom: Double {
    let square = boundedCorrelation * boundedCorrelation
    return max(1, min(Double(count - 1), Double(count) * (1 - square) / (3 - square)))
  }

  private var boundedCorrelation: Double {
    max(Self.correlations.lowerBound, min(correlation, Self.correlations.upperBound))
  }
}
