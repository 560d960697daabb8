import Core

/// Whether a schedule is on. It is evaluated only when that can have changed: the search through a
/// rule that another board has sent may take milliseconds.
struct SchedulePhase: Sendable {
  private let schedule: Schedule
  /// From the last evaluation until the next change.
  private var validity: Range<UTCInstant>?
  /// Whether it is on, as of the last evaluation.
  private(set) var isOn = false
  /// Since when it is on; nil: it is off, or was on before this occurrence, too.
  private(set) var begin: UTCInstant?
  /// When that may change; nil: never again.
  private(set) var nextChange: UTCInstant?

  init(_ schedule: Schedule) { self.schedule = schedule }

  mutating func update(at date: UTCInstant) {
    if let validity, validity.contains(date) { return }
    let occurrence = schedule.occurrence(at: date)
    isOn = occurrence != nil
    begin = occurrence?.begin
    if let begin, schedule.isOn(at: begin - 1) { self.begin = nil }
    nextChange = schedule.nextChange(after: date)
    validity = date..<(nextChange ?? UTCInstant(nanoseconds: .max))
  }
}
