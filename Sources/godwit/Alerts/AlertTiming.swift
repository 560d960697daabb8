import Alerts
import Quantities
import Recurrence

/// When an alert counts: its schedule in words, and what that means now.
struct AlertTiming: Sendable {
  /// "always", "Mon-Fri 08:00-17:00", "daily at 08:15"
  let when: String
  /// Until when it is on; nil: it is not, or for ever.
  let until: UTCInstant?
  /// When it is on next, or has its next deadline; nil: never again, or it is on for ever.
  let next: UTCInstant?
  /// Whether it will never be on again.
  let isOver: Bool
  /// "on", "on until Mon 17:00", "next Mon 08:00", "over"
  let words: String

  /// - Parameters:
  ///   - date: of now.
  ///   - zone: the board's.
  init(_ alert: Alert, at date: UTCInstant, in zone: TimeZoneRules) {
    guard let schedule = alert.schedule else {
      (when, until, next, isOver, words) = ("always", nil, nil, false, "on")
      return
    }
    when = schedule.words(in: zone)
    let occurrence = alert.rule.hasDeadline ? nil : schedule.occurrence(at: date)
    until = occurrence?.end
    next = schedule.next(after: date)?.begin
    isOver = until == nil && next == nil
    if let until {
      words = "on until \(zone.words(until, seenFrom: date))"
    } else {
      words = next.map { "next \(zone.words($0, seenFrom: date))" } ?? "over"
    }
  }
}
