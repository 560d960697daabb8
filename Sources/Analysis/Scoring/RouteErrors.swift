import Core

/// Route errors of one run or of many, counted by the decimetre, so that a thousand days take no
/// more room than one: percentiles are right to within 5 cm, the mean exactly.
public struct RouteErrors: Hashable, Sendable {
  /// How often there was which error, in decimetres.
  public private(set) var counts: [Int: Int] = [:]
  public private(set) var sum: Metres = 0
  /// Moments of runs that have stored no point at all: as far off as can be.
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

  /// - Parameter error: nil: nothing says where the board was.
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

  /// How many moments they are.
  public var count: Int { located + unlocated }

  private var located: Int { counts.values.reduce(0, +) }

  /// Nil for none, and where a run has stored nothing.
  public var mean: Metres? {
    unlocated == 0 && !counts.isEmpty ? sum / Double(located) : nil
  }

  /// The smallest error that so many do not exceed; nil for none, and where that is in the runs
  /// that have stored nothing.
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
