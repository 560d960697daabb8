import Quantities

/// So many at once, and after that so many a second.
public struct Allowance: Hashable, Sendable {
  private let atOnce: Double
  private let perSecond: Double
  /// How many may go now.
  private(set) var left: Double
  /// When that was so.
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

  mutating func spend() { left -= 1 }

  /// - Returns: whether one more may go.
  public mutating func take(at now: BootInstant) -> Bool {
    refill(at: now)
    guard left >= 1 else { return false }
    spend()
    return true
  }
}
