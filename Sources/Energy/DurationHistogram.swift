import Quantities

/// Durations counted in steps of a tenth, from a microsecond to two weeks: quantiles of any number
/// of them in fixed memory.
public struct DurationHistogram: Sendable {
  private static let shortest = 1e-6
  private static let ratio = 1.1
  private static let bounds: [Double] = {
    var bounds = [shortest]
    while bounds[bounds.count - 1] < 1.2e6 { bounds.append(bounds[bounds.count - 1] * ratio) }
    return bounds
  }()

  private var counts = [Int](repeating: 0, count: bounds.count + 1)
  public private(set) var count = 0
  public private(set) var longest: Seconds?

  public init() {}

  public mutating func take(_ duration: Seconds) {
    guard duration.isFinite else { return }
    var low = 0
    var high = Self.bounds.count
    while low < high {
      let middle = (low + high) / 2
      if Self.bounds[middle] < duration.value { low = middle + 1 } else { high = middle }
    }
    counts[low] += 1
    count += 1
    longest = max(longest ?? duration, duration)
  }

  /// The duration that the share (0...1) of all does not exceed, up to a tenth too large.
  public func quantile(_ share: Double) -> Seconds? {
    guard count > 0, let longest else { return nil }
    let rank = max(1, Int((share * Double(count)).rounded(.up)))
    var seen = 0
    for (index, number) in counts.enumerated() {
      seen += number
      if seen >= rank {
        return index < Self.bounds.count ? min(Seconds(Self.bounds[index]), longest) : longest
      }
    }
    return longest
  }
}
