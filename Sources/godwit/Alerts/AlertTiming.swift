import Alerts
import Quantities
import Recurrence

/// When an alert counts: its schedule in words, and what that means now.
struct AlertTiming: Sendable {
  /// "always", "Mon-Fri 08:00-17:00", "daily at 08:15"
  let when: String
  /// So many times are looked through that follow each other without a pause.
  private static let mostJoined = 10

  /// Until when it is on without a pause; nil: it is not, or for ever, or for long.
  let until: UTCInstant?
  /// When it is on next, or has its next deadline; nil: never again, or it is on and nobody knows
  /// until when.
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
    let isOn = !alert.rule.hasDeadline && schedule.isOn(at: date)
    until = isOn ? Self.pause(of: schedule, after: date) : nil
    next = isOn && until == nil ? nil : schedule.next(after: until ?? date)?.begin
    isOver = !isOn && next == nil
    if isOn {
      words = until.map { "on until \(zone.words($0, seenFrom: date))" } ?? "on"
    } else {
      words = next.map { "next \(zone.words($0, seenFrom: date))" } ?? "over"
    }
  }

  /// When it is not on any more for the first time; nil: not for long.
  private static func pause(of schedule: Schedule, after date: UTCInstant) -> UTCInstant? {
    var end = date
    for _ in 0...mostJoined {
      guard let occurrence = schedule.occurrence(at: end) else { return end }
      end = occurrence.end
    }
    return nil
  }
}
