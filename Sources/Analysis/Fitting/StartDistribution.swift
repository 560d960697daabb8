import Core
import Records

/// The distribution of the times of similar starts: of a commanded kind, or after such a time
/// without a fix, with such reception.
public struct StartDistribution: Sendable {
  /// The commanded restart; nil: none.
  public let restart: GnssSession.Restart?
  /// Time since the last fix, half-open; nil: unknown.
  public let gap: Range<Seconds>?
  /// Under open sky, or any other reception.
  public let isOpenSky: Bool
  public let times: Quantiles
  /// The share that was no slower than hot starts; nil: unknown.
  public let hotShare: Double?

  static let gaps: [Range<Seconds>] = [
    0..<600, 600..<1800, 1800..<7200, 7200..<14_400, 14_400..<Seconds.days(36_600),
  ]

  /// All distributions with any starts, the shortest gap first and commanded starts last.
  ///
  /// - Parameter hotLimit: the longest duration of a hot start.
  static func all(_ starts: [ReceiverStart], hotLimit: Seconds?) -> [StartDistribution] {
    let unordered = starts.filter { $0.restart == nil }
    var distributions: [StartDistribution] = []
    for gap in gaps.map({ Optional($0) }) + [nil] {
      let some = unordered.filter { gap.map($0.isWithin) ?? ($0.gap == nil) }
      distributions += byReception(some, gap: gap, hotLimit: hotLimit)
    }
    for restart in [GnssSession.Restart.hot, .warm, .cold] {
      let some = starts.filter { $0.restart == restart }
      distributions += byReception(some, restart: restart, hotLimit: hotLimit)
    }
    return distributions
  }

  private static func byReception(
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
