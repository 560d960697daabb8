import Core

/// Which alerts count now: what is outside its schedule costs nothing until shortly before it is on
/// again, and what will never be on again costs nothing at all.
struct AlertCalendar: Sendable {
  private var counting: Set<Int64> = []
  /// As long as the date is within, that does not change; nil: the date was not known.
  private var holds: Range<UTCInstant>?
  private var isCurrent = false
  /// How often others have come to count.
  private(set) var recounts = 0

  private static let never = UTCInstant(nanoseconds: .max)

  /// When others will count; nil: that is not known, or never.
  var next: UTCInstant? { holds.flatMap { $0.upperBound == Self.never ? nil : $0.upperBound } }

  func counts(_ alert: Int64) -> Bool { counting.contains(alert) }

  /// - Returns: whether others count than before.
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
    recounts += 1
    return true
  }

  /// Alerts have been edited.
  mutating func forget() { isCurrent = false }

  /// What they want to know of places.
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
  /// So long before it is on the board is looked for: two or three locations tell at which side of
  /// an edge it is, of which the first may take a minute.
  static let learningTime: Seconds = 300
  /// So long before a deadline: who has come is not found under a roof any more.
  static let deadlineTime: Seconds = .hours(12)

  /// Whether the board has to be looked for because of it, and until when that is so; nil: for
  /// ever.
  func counting(at date: UTCInstant?) -> (counts: Bool, until: UTCInstant?) {
    guard let schedule, let date else { return (true, nil) }
    if rule.hasDeadline {
      // What has passed a moment ago is decided yet.
      let past = schedule.latest(at: date).map { $0.begin + DeadlineWatch.patience }
      if let past, date < past { return (true, past) }
    } else if let occurrence = schedule.occurrence(at: date) {
      return (true, occurrence.end)
    }
    guard let next = schedule.next(after: date)?.begin else { return (false, nil) }
    let from = next - timeAhead
    return date < from ? (false, from) : (true, next)
  }

  /// Whether it guards now; nil: nobody knows.
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
