import Core

/// A way that failed is left alone for a time, longer with every failure in a row, so that a server
/// that is down costs little energy and many boards do not come back to it at one moment.
public struct Hold: Hashable, Sendable {
  /// After the first failure.
  static let shortest: Seconds = 30
  /// However often it has failed.
  static let longest: Seconds = .hours(1)
  /// When the other side has asked for it.
  static let longestAsked: Seconds = .hours(24)

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

  /// Another failure.
  ///
  /// - Parameters:
  ///   - asked: how long the other side wants to be left alone.
  ///   - chance: 0...1, another on every board: how much of the second half of the pause is taken.
  public init(
    after last: Hold?, at time: UTCInstant, because why: String, asked: Seconds? = nil,
    chance: Double
  ) {
    failures = min((last?.failures ?? 0) + 1, 1_000_000)
    // 30 s by 2⁷ is beyond the longest.
    let doubled = Self.shortest * Double(1 << min(failures - 1, 7))
    let own = min(doubled, Self.longest) * (0.5 + min(max(chance, 0), 1) / 2)
    until = time + max(own, min(asked ?? 0, Self.longestAsked))
    self.why = why
  }

  /// How long it still lasts. None that ends later than any can: the date was set back meanwhile.
  public func remaining(at time: UTCInstant) -> Seconds {
    let left = until - time
    return left > Self.longestAsked ? 0 : max(left, 0)
  }
}
