import Core

/// Rate limit for a recipient for which only the broker acknowledges. A broker keeps a limited
/// number of messages for a slower subscriber (mosquitto 1000, unless max_queued_messages differs),
/// acknowledges the others, and discards them.
struct RateLimit: Sendable {
  /// Half of mosquitto's limit: an ordinary connection never waits.
  static let atOnce = 500
  /// After that. OwnTracks' Recorder handles about a thousand.
  static let perSecond = 100.0
  /// After waiting, so many are sent together.
  static let portion = 20

  private var allowance = TokenBucket(atOnce: atOnce, perSecond: perSecond)
  /// When the next portion may be sent; nil: nothing waits for it.
  private(set) var nextAllowed: BootInstant?

  /// Whether the next message may be sent.
  mutating func isOpen(at now: BootInstant) -> Bool {
    allowance.refill(at: now)
    if nextAllowed.map({ $0 <= now }) ?? (allowance.left >= 1) {
      nextAllowed = nil
      return true
    }
    if nextAllowed == nil {
      nextAllowed = now + Seconds((Double(Self.portion) - allowance.left) / Self.perSecond)
    }
    return false
  }

  mutating func spend() { allowance.spend() }
}
