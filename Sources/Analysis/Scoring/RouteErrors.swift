import Core

/// Route errors of one run or of many, in classes of a decimetre, so that a thousand days take no
/// more memory than one: percentiles are accurate to 5 cm, the mean is exact.
public struct RouteErrors: Hashable, Sendable {
  /// The number of moments by error in decimetres.
  public private(set) var counts: [Int: Int] = [:]
  public private(set) var sum: Metres = 0
  /// Moments of runs without any stored point: they count as the largest error.
  public private(set) var unlocated = 0

  private static let step: Metres = 0.1

  public init() {}

  /// - Parameters:
  ///   - counts: by decimetres, as `counts` of another one.
  ///   - sum: of the errors themselves.
  public init(counts: [Int: Int], sum: Metres, unlocated: Int) {
    self.counts = counts
    self.sum = sum
    self.unlocated = unlocated
  }

  /// - Parameter error: nil: there is no position to compare with.
  public mutating func add(_ error: Metres?) {
    guard let error, error.isFinite else {
      unlocated += 1
      return
    }
    counts[Int((error / Self.step).rounded()), default: 0] += 1
    sum += error
  }

  public mutating func add(_ other: RouteErrors) {
    counts.merge(other.counts, uniquingKeysWith: +)
    sum += other.sum
    unlocated += other.unlocated
  }

  /// The number of moments.
  public var count: Int { located + unlocated }

  private var located: Int { counts.values.reduce(0, +) }

  /// Nil without moments, and where a run has no stored point.
  public var mean: Metres? {
    unlocated == 0 && !counts.isEmpty ? sum / Double(located) : nil
  }

  /// The smallest error that this share of moments does not exceed; nil without moments, and where
  /// it falls into runs without a stored point.
  public func percentile(_ share: Double) -> Metres? {
    guard count > 0 else { return nil }
    var left = Ranks.rank(share, of: count)
    for (error, number) in counts.sorted(by: { $0.key < $1.key }) {
      left -= number
      if left <= 0 { return Self.step * Double(error) }
    }
    return nil
  }
}
