import Core

/// The effect of a start-up time of the settings on the virtual board: its receiver has a fix only
/// at an epoch, sends nothing for a while after power-on, and scatters around the figure like a
/// real one. A fitted start-up time is the one that reproduces the measured times.
public struct StartCalibration: Sendable {
  /// From power-on to the first epoch at the earliest, and from an epoch to its last byte.
  private let delay: Seconds
  private let interval: Seconds
  /// Searches under open sky, as multiples of the start-up time: a sample of their distribution.
  private let factors: [Double]

  public init(delay: Seconds, interval: Seconds, factors: [Double]) {
    self.delay = delay
    self.interval = interval
    self.factors = factors
  }

  /// The number of epochs searched for a time to first fix. Epochs are a grid, on which the fix
  /// lies: so the time before the first one is known, too.
  func epochs(in timeToFirstFix: Seconds) -> Double {
    // A microsecond for the store's rounding.
    max(0, ((timeToFirstFix - delay + 1e-6) / interval).rounded(.down)) + 1
  }

  /// The mean number of epochs of a start-up time.
  func meanEpochs(of start: Seconds) -> Double {
    let needed = start / interval
    return factors.reduce(0.0) { $0 + max(1, (needed * $1).rounded(.up)) } / Double(factors.count)
  }

  static let range = 0.1...3600.0

  /// The start-up time with that mean number of epochs.
  func start(taking epochs: Double) -> Seconds {
    var low = Self.range.lowerBound
    var high = Self.range.upperBound
    for _ in 0..<40 {
      let middle = 0.5 * (low + high)
      if meanEpochs(of: Seconds(middle)) < epochs { low = middle } else { high = middle }
    }
    return Seconds(high)
  }
}
