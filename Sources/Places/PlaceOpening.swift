import Core

/// When a place is open: within its lifetime, while its schedule is on (Chughtai 2015, sections
/// 4.2.4 and 4.2.5; Dias 2011, section 3.2). The board is never at a closed place.
public struct PlaceOpening: Hashable, Sendable {
  private let lifetime: PlaceLifetime
  private let schedule: Schedule?

  /// - Parameter schedule: nil: always open within the lifetime.
  public init(_ lifetime: PlaceLifetime, _ schedule: Schedule? = nil) {
    self.lifetime = lifetime
    self.schedule = schedule
  }

  /// The opening times that a place defines.
  /// - Parameters:
  ///   - local: the zone of times that do not name one.
  ///   - zones: finds a zone by its TZID.
  /// - Throws: why its schedule cannot be read.
  public init(
    of place: Place, local: TimeZoneRules, zones: (String) -> TimeZoneRules?
  ) throws(RecurrenceError) {
    var schedule: Schedule?
    if let text = place.schedule?.iCalendar {
      schedule = try Schedule(calendar: text, local: local, zones: zones).lasting()
    }
    self.init(place.lifetime, schedule)
  }

  public func isOpen(at date: UTCInstant) -> Bool {
    lifetime.contains(date) && (schedule?.isOn(at: date) ?? true)
  }

  /// When it opens or closes next; nil: never.
  public func nextChange(after date: UTCInstant) -> UTCInstant? {
    if let until = lifetime.until, date >= until { return nil }
    if let from = lifetime.from, date < from {
      if isOpen(at: from) { return from }
      return schedule?.next(after: from).flatMap { within($0.begin) }
    }
    guard let schedule else { return lifetime.until }
    if let occurrence = schedule.occurrence(at: date) {
      return [occurrence.end, lifetime.until].compactMap { $0 }.min()
    }
    return schedule.next(after: date).flatMap { within($0.begin) }
  }

  private func within(_ date: UTCInstant) -> UTCInstant? {
    lifetime.contains(date) ? date : nil
  }
}
