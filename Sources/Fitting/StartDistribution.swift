import Quantities

/// How long the starts of one kind took: after so long without a fix, under such a sky.
public struct StartDistribution: Sendable {
  /// Since the last fix: from, and below; nil: not known.
  public let gap: Range<Seconds>?
  /// Under open sky, or under any other.
  public let isOpenSky: Bool
  public let times: Quantiles
  /// The share that was no slower than hot starts are; nil where that is not known.
  public let hotShare: Double?

  static let gaps: [Range<Seconds>] = [
    0..<600, 600..<1800, 1800..<7200, 7200..<14_400, 14_400..<Seconds.days(36_600),
  ]

  /// Those that there are any starts of, the shortest gap first.
  ///
  /// - Parameter hotLimit: the longest that a hot start takes.
  static func all(_ starts: [ReceiverStart], hotLimit: Seconds?) -> [StartDistribution] {
    var distributions: [StartDistribution] = []
    for gap in gaps.map({ Optional($0) }) + [nil] {
      for isOpenSky in [true, false] {
        let times = starts.filter {
          ($0.isOpenSky == true) == isOpenSky
            && (gap.map($0.isWithin) ?? ($0.gap == nil))
        }.map(\.timeToFirstFix)
        guard !times.isEmpty else { continue }
        let hot = hotLimit.map { limit in
          Double(times.count { $0 <= limit }) / Double(times.count)
        }
        distributions.append(
          StartDistribution(
            gap: gap, isOpenSky: isOpenSky, times: Quantiles(times),
            hotShare: isOpenSky ? hot : nil))
      }
    }
    return distributions
  }
}

extension ReceiverStart {
  func isWithin(_ range: Range<Seconds>) -> Bool { gap.map(range.contains) ?? false }
}
