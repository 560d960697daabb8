import Core

/// A rate limit: a burst, and after that a number per second.
public struct TokenBucket: Hashable, Sendable {
  private let atOnce: Double
  private let perSecond: Double
  /// How many may be sent now.
  private(set) var left: Double
  /// The time of that.
  private var time: BootInstant?

  public init(atOnce: Int, perSecond: Double) {
    self.atOnce = Double(atOnce)
    self.perSecond = perSecond
    left = Double(atOnce)
  }

  mutating func refill(at now: BootInstant) {
    if let time { left = min(atOnce, left + (now - time).value * perSecond) }
    time = now
  }

  mutating func spend(_ count: Int = 1) { left -= Double(count) }

  /// - Returns: whether so many more may be sent.
  public mutating func take(_ count: Int = 1, at now: BootInstant) -> Bool {
    refill(at: now)
    guard left >= Double(count) else { return false }
    spend(count)
    return true
  }
}
