import Notation
import Quantities
import Statistics

/// The start-up time of one kind of start, from those under open sky.
struct StartFit {
  static let fewestStarts = 5
  /// Of the median: what took longer was no such start, or had less sky than it seemed.
  static let slowest = 3.0
  /// Epochs on average, from which a start-up time can be told: a faster receiver has its fix in
  /// the first epoch, however fast it is.
  static let fewestEpochs = 1.05

  let knowledge: StartKnowledge
  /// Their times to the first fix.
  let times: [Seconds]
  let calibration: StartCalibration

  func finding(missing: String) -> Finding<Seconds> {
    guard times.count >= Self.fewestStarts else {
      return .untold(
        because: times.isEmpty
          ? missing
          : "\(Counted.text(times.count, "\(knowledge.rawValue) start")) under open sky, and it "
            + "takes \(Self.fewestStarts)")
    }
    let epochs = usable.map { calibration.epochs(in: $0) }
    let count = Double(epochs.count)
    let mean: Double = epochs.reduce(0, +) / count
    guard mean > Self.fewestEpochs else {
      return .atMost(
        calibration.start(taking: Self.fewestEpochs),
        because: "the fix comes with the receiver's first epoch")
    }
    let variance = epochs.reduce(0.0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let half = StudentT.quantile975(degreesOfFreedom: count - 1) * (variance / count).squareRoot()
    let value = calibration.start(taking: mean)
    let low = calibration.start(taking: max(1, mean - half))
    let high = calibration.start(taking: mean + half)
    return .told(
      Estimate(
        value: value, low: low, high: high, scatter: (high - low) * 0.5, systematic: 0,
        count: epochs.count))
  }

  /// Without those that were slow for another reason.
  var usable: [Seconds] {
    let median = Quantiles(times).value(0.5) ?? 0
    return times.filter { $0 <= median * Self.slowest }
  }
}

/// Quantiles of a few numbers: order statistics.
public struct Quantiles: Sendable {
  private let sorted: [Seconds]

  public init(_ values: [Seconds]) { sorted = values.sorted() }

  public var count: Int { sorted.count }

  /// The smallest that at least the share (0...1) of all does not exceed; nil of none.
  public func value(_ share: Double) -> Seconds? {
    Ranks.percentile(share, sorted)
  }
}
