import Places
import Core

/// When an alert is on: its schedule in words, and its present state. Takes into account when its
/// places are open.
struct AlertTiming: Sendable {
  /// "always", "while open", "Mon-Fri 08:00-17:00", "daily at 08:15"
  let when: String
  /// The maximum number of consecutive occurrences that are joined.
  private static let mostJoined = 10

  /// Until when it is on without a break; nil: it is off, or on without an end or for long.
  let until: UTCInstant?
  /// When it is next on, or has its next deadline; nil: never again, or it is on without a known
  /// end.
  let next: UTCInstant?
  /// Whether it will never be on again.
  let isOver: Bool
  /// "on", "on until Mon 17:00", "next Mon 08:00", "over"
  let words: String

  /// - Parameters:
  ///   - horizon: when its places are open.
  ///   - date: the present date.
  ///   - zone: the board's.
  init(
    _ alert: Alert, _ horizon: AlertHorizon = .ever, at date: UTCInstant, in zone: TimeZoneRules
  ) {
    let schedule = alert.schedule
    let isDeadline = alert.rule.hasDeadline
    when = schedule?.words(in: zone) ?? (horizon.isEver ? "always" : "while open")
    let isOn = !isDeadline && schedule?.isOn(at: date) ?? true && horizon.isOpen(at: date)
    until =
      isOn
      ? [schedule.flatMap { Self.pause(of: $0, after: date) }, horizon.end(after: date)]
        .compactMap { $0 }.min() : nil
    next =
      isOn && until == nil
      ? nil : horizon.next(after: until ?? date, schedule, isDeadline: isDeadline)
    isOver = !isOn && next == nil
    if isOn {
      words = until.map { "on until \(zone.words($0, seenFrom: date))" } ?? "on"
    } else {
      words = next.map { "next \(zone.words($0, seenFrom: date))" } ?? "over"
    }
  }

  /// When the schedule's present occurrences end; nil: not for long.
  private static func pause(of schedule: Schedule, after date: UTCInstant) -> UTCInstant? {
    var end = date
    for _ in 0...mostJoined {
      guard let occurrence = schedule.occurrence(at: end) else { return end }
      end = occurrence.end
    }
    return nil
  }
}
