import Core

/// How fast somebody is given what only a broker acknowledges. A broker keeps a limited number of
/// messages for who is slower than we are (mosquitto 1000, unless max_queued_messages says
/// otherwise), acknowledges the others, and throws them away.
struct Pace: Sendable {
  /// Half of what mosquitto keeps: an ordinary visit never waits.
  static let atOnce = 500
  /// After that. OwnTracks' Recorder takes about a thousand.
  static let perSecond = 100.0
  /// Who has had to wait goes on with so many together.
  static let portion = 20

  private var allowance = TokenBucket(atOnce: atOnce, perSecond: perSecond)
  /// From when on there is a portion again; nil: nothing waits for it.
  private(set) var opens: BootInstant?

  /// Whether the next may go.
  mutating func isOpen(at now: BootInstant) -> Bool {
    allowance.refill(at: now)
    if opens.map({ $0 <= now }) ?? (allowance.left >= 1) {
      opens = nil
      return true
    }
    if opens == nil {
      opens = now + Seconds((Double(Self.portion) - allowance.left) / Self.perSecond)
    }
    return false
  }

  mutating func spend() { allowance.spend() }
}
