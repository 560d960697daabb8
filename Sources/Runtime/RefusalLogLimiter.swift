import Core

/// Whoever floods the board does not fill its journal.
struct RefusalLogLimiter {
  /// Of a day.
  static let most = 100
  static let day: Seconds = .days(1)
  private var count = 0
  /// When the first of the day was told.
  private var since: BootInstant?

  /// The line for the journal; nil for one that is not told any more.
  mutating func text(of refusal: String, at now: BootInstant) -> String? {
    if since.map({ now - $0 >= Self.day }) ?? true {
      since = now
      count = 0
    }
    count += 1
    guard count <= Self.most else { return nil }
    return count < Self.most
      ? refusal : "\(refusal); more is not told before a day after the first"
  }
}
