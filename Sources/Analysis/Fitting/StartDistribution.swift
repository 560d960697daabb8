import Core
import Records

/// How long the starts of one kind took: as they were ordered, or after so long without a fix,
/// under such a sky.
public struct StartDistribution: Sendable {
  /// What the receiver was told to forget; nil: nothing was said.
  public let restart: GnssSession.Restart?
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

  /// Those that there are any starts of, the shortest gap first, and those that were ordered last.
  ///
  /// - Parameter hotLimit: the longest that a hot start takes.
  static func all(_ starts: [ReceiverStart], hotLimit: Seconds?) -> [StartDistribution] {
    let unordered = starts.filter { $0.restart == nil }
    var distributions: [StartDistribution] = []
    for gap in gaps.map({ Optional($0) }) + [nil] {
      let some = unordered.filter { gap.map($0.isWithin) ?? ($0.gap == nil) }
      distributions += bySky(some, gap: gap, hotLimit: hotLimit)
    }
    for restart in [GnssSession.Restart.hot, .warm, .cold] {
      let some = starts.filter { $0.restart == restart }
      distributions += bySky(some, restart: restart, hotLimit: hotLimit)
    }
    return distributions
  }

  private static func bySky(
    _ starts: [ReceiverStart], restart: GnssSession.Restart? = nil, gap: Range<Seconds>? = nil,
    hotLimit: Seconds?
  ) -> [StartDistribution] {
    [true, false].compactMap { isOpenSky in
      let times = starts.filter { ($0.isOpenSky == true) == isOpenSky }.map(\.timeToFirstFix)
      guard !times.isEmpty else { return nil }
      let hot = hotLimit.map { limit in
        Double(times.count { $0 <= limit }) / Double(times.count)
      }
      return StartDistribution(
        restart: restart, gap: gap, isOpenSky: isOpenSky, times: Quantiles(times),
        hotShare: isOpenSky ? hot : nil)
    }
  }
}

extension ReceiverStart {
  func isWithin(_ range: Range<Seconds>) -> Bool { gap.map(range.contains) ?? false }
}
