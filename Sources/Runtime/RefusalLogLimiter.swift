import Core

/// Limits the journal lines about refusals, so that a flood does not fill the journal.
struct RefusalLogLimiter {
  /// The maximum per day.
  static let most = 100
  static let day: Seconds = .days(1)
  private var count = 0
  /// When the first refusal of the day was logged.
  private var since: BootInstant?

  /// The line for the journal; nil beyond the limit.
  mutating func text(of refusal: String, at now: BootInstant) -> String? {
    if since.map({ now - $0 >= Self.day }) ?? true {
      since = now
      count = 0
    }
    count += 1
    guard count <= Self.most else { return nil }
    return count < Self.most
      ? refusal : "\(refusal); further ones are not logged within a day of the first"
  }
}
