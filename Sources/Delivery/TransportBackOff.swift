import Core

/// Back-off of a failed transport, longer with every failure in a row, so that a server that is
/// down costs little energy and many boards do not return to it at once.
public struct TransportBackOff: Hashable, Sendable {
  /// After the first failure.
  static let shortest: Seconds = 30
  /// After any number of failures.
  static let longest: Seconds = .hours(1)
  /// If the other side has requested it.
  static let longestRequested: Seconds = .hours(24)

  /// In a row; at least 1.
  public var failures: Int
  public var until: UTCInstant
  /// The last failure.
  public var why: String

  public init(failures: Int, until: UTCInstant, why: String) {
    self.failures = failures
    self.until = until
    self.why = why
  }

  /// After another failure.
  ///
  /// - Parameters:
  ///   - asked: the pause requested by the other side.
  ///   - chance: 0...1, random for each board: the share of the second half of the pause to wait.
  public init(
    after last: TransportBackOff?, at time: UTCInstant, because why: String, asked: Seconds? = nil,
    chance: Double
  ) {
    failures = min((last?.failures ?? 0) + 1, 1_000_000)
    // 30 s by 2⁷ is beyond the longest.
    let doubled = Self.shortest * Double(1 << min(failures - 1, 7))
    let own = min(doubled, Self.longest) * (0.5 + min(max(chance, 0), 1) / 2)
    until = time + max(own, min(asked ?? 0, Self.longestRequested))
    self.why = why
  }

  /// The remaining time; 0 if it ends later than possible, because the date was set back meanwhile.
  public func remaining(at time: UTCInstant) -> Seconds {
    let left = until - time
    return left > Self.longestRequested ? 0 : max(left, 0)
  }
}
