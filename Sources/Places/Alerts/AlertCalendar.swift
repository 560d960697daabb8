import Core

/// Which alerts are active now. An alert outside its schedule costs nothing until shortly before it
/// is on again, and one that will never be on again costs nothing at all.
struct AlertCalendar: Sendable {
  private var counting: Set<Int64> = []
  /// The period of validity; nil: the date was unknown.
  private var holds: Range<UTCInstant>?
  private var isCurrent = false
  /// The number of changes so far.
  private(set) var changes = 0

  private static let never = UTCInstant(nanoseconds: .max)

  /// When the active alerts change next; nil: unknown, or never.
  var next: UTCInstant? { holds.flatMap { $0.upperBound == Self.never ? nil : $0.upperBound } }

  func counts(_ alert: Int64) -> Bool { counting.contains(alert) }

  /// - Returns: whether the active alerts have changed.
  mutating func keepTime(_ alerts: [Int64: Alert], at date: UTCInstant?) -> Bool {
    if isCurrent, let holds, let date, holds.contains(date) { return false }
    if isCurrent, holds == nil, date == nil { return false }
    let before = counting
    let wasCurrent = isCurrent
    isCurrent = true
    counting = []
    var end = Self.never
    for alert in alerts.values {
      let (counts, until) = alert.counting(at: date)
      if counts { counting.insert(alert.id) }
      if let until { end = min(end, until) }
    }
    holds = date.flatMap { $0 < end ? $0..<end : nil }
    guard !wasCurrent || counting != before else { return false }
    changes += 1
    return true
  }

  /// Call this after edits of alerts.
  mutating func forget() { isCurrent = false }

  /// The interest of the alerts in places.
  func interests(of alerts: [Int64: Alert]) -> [PlaceInterest] {
    alerts.values.sorted { $0.id < $1.id }.compactMap { alert in
      guard alert.rule.isAboutPresence else { return nil }
      return alert.rule.places.map {
        PlaceInterest(
          $0, margin: alert.rule.margin, accuracy: alert.accuracy,
          isLookedFor: counting.contains(alert.id))
      }
    }
  }
}

extension Alert {
  /// How long before its schedule an alert is active: two or three locations establish the side of
  /// an edge, and the first may take a minute.
  static let learningTime: Seconds = 300
  /// How long before a deadline an alert is active: a board that has arrived may be without signal.
  static let deadlineTime: Seconds = .hours(12)

  /// Whether fixes may be requested for it, and until when that is so; nil: for ever.
  func counting(at date: UTCInstant?) -> (counts: Bool, until: UTCInstant?) {
    guard let schedule, let date else { return (true, nil) }
    if rule.hasDeadline {
      // A deadline that has just passed still has to be decided.
      let past = schedule.latest(at: date).map { $0.begin + DeadlineWatch.timeout }
      if let past, date < past { return (true, past) }
    } else if let occurrence = schedule.occurrence(at: date) {
      return (true, occurrence.end)
    }
    guard let next = schedule.next(after: date)?.begin else { return (false, nil) }
    let from = next - timeAhead
    return date < from ? (false, from) : (true, next)
  }

  /// Whether it guards now; nil: unknown.
  func isArmed(_ guarding: Guard, at date: UTCInstant?, isIgnitionOn: Bool?) -> Bool? {
    switch guarding.arming {
    case .hand: guarding.isArmed
    case .ignition: isIgnitionOn.map { !$0 }
    case .schedule: date.map { schedule?.isOn(at: $0) ?? false }
    }
  }

  private var timeAhead: Seconds {
    if rule.hasDeadline { return Self.deadlineTime }
    return rule.guarding?.arming == .schedule ? 0 : Self.learningTime
  }
}
