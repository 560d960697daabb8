/// Where the true mean lies with a confidence of 95 %, by what repeated runs gave.
public struct ConfidenceInterval: Hashable, Sendable {
  /// How it was computed, to be said beside it.
  public enum Method: String, Hashable, Sendable {
    /// Efron, "Nonparametric standard errors and confidence intervals" (1981): the bootstrap of t.
    /// The plain percentile bootstrap holds the truth too seldom when runs are few: 84 % instead of
    /// 95 with five.
    case studentizedBootstrap = "studentized bootstrap"
    /// Of fewer runs than a bootstrap can be made of, or of runs that are all alike but a few.
    case studentT = "Student's t"
    /// Of runs that are like the one before: they count as fewer.
    case correlatedRuns = "Student's t of correlated runs"
  }

  public let low: Double
  public let high: Double
  public let method: Method

  public var halfWidth: Double { (high - low) / 2 }

  public func contains(_ value: Double) -> Bool { low <= value && value <= high }
}

extension RunFigures {
  /// With fewer there are too few different resamples: bootstraps of five runs are twice as wide as
  /// they need be.
  static let fewestForBootstrap = 6
  /// The 50th of 1,999 from either end bounds 95 %.
  static let resamples = 1999

  /// Nil with fewer than two runs: one tells nothing of scatter.
  /// - Parameter random: what draws the resamples; the same draws give the same interval.
  public func interval(using random: inout some RandomNumberGenerator) -> ConfidenceInterval? {
    guard let mean, let error = standardErrorOfMean else { return nil }
    if count >= Self.fewestForBootstrap,
      let bounds = StudentizedBootstrap.bounds(Self.resamples, draw: { t(of: &random) })
    {
      return ConfidenceInterval(
        low: mean - bounds.upper * error, high: mean - bounds.lower * error,
        method: .studentizedBootstrap)
    }
    let reach = StudentT.quantile975(degreesOfFreedom: Double(count - 1)) * error
    return ConfidenceInterval(low: mean - reach, high: mean + reach, method: .studentT)
  }

  /// How far the mean of one resample is off, in its own standard errors.
  private func t(of random: inout some RandomNumberGenerator) -> Double {
    let resample = resampled(using: &random)
    return StudentizedBootstrap.t(resample.distance, resample.squaredError.squareRoot())
  }

  /// As many of these values as there are, drawn with replacement: how far their mean is from this
  /// one, and the square of its standard error. Two of them at least.
  func resampled(
    using random: inout some RandomNumberGenerator
  ) -> (distance: Double, squaredError: Double) {
    let centre = mean ?? 0
    var (sum, squares) = (0.0, 0.0)
    for _ in 0..<count {
      // Evenly, but for some 2^-60.
      let index = random.next().multipliedFullWidth(by: UInt64(count)).high
      let distance = values[Int(index)] - centre
      sum += distance
      squares += distance * distance
    }
    let size = Double(count)
    let difference = squares - sum * sum / size
    // Of values that are all alike only the error of rounding is left.
    let scatter = difference > 1e-12 * squares ? difference : 0
    return (sum / size, scatter / (size - 1) / size)
  }
}

enum StudentizedBootstrap {
  /// A resample without scatter says nothing of its error: it counts as infinitely far off.
  static func t(_ distance: Double, _ error: Double) -> Double {
    if error > 0 { return distance / error }
    return distance == 0 ? 0 : distance * .infinity
  }

  /// - Returns: the 2.5 and 97.5 % quantiles of what is drawn; nil when one of them is not finite.
  static func bounds(
    _ resamples: Int, draw: () -> Double
  ) -> (lower: Double, upper: Double)? {
    let sorted = (0..<resamples).map { _ in draw() }.sorted()
    let rank = (resamples + 1) / 40
    let lower = sorted[rank - 1]
    let upper = sorted[resamples - rank]
    return lower.isFinite && upper.isFinite ? (lower, upper) : nil
  }
}
