import Core
import Records

/// Deadlines for being at a place: the beginnings of a schedule's occurrences.
struct DeadlineWatch: Sendable {
  struct Record: Hashable, Sendable {
    let alert: Int64
    /// The last deadline that was handled, or when the alert was added: earlier ones do not count.
    var handled: UTCInstant
    /// Whether the board was there and has left, for an alert that expects it back.
    var hasLeft = false
  }

  /// A deadline that has passed and is not decided yet.
  struct Pending: Hashable, Sendable {
    let alert: Int64
    let deadline: UTCInstant
  }

  /// How long to wait for a location before the board is reported as missing.
  static let timeout: Seconds = 300
  /// How long a deadline is reported late, after a time in which the daemon did not run.
  static let late: Seconds = .hours(6)

  private(set) var records: [Int64: Record] = [:]
  private(set) var pending: [Pending] = []

  /// For the next run, which repeats pending decisions.
  var remembered: [Record] {
    records.values.map { record in
      var record = record
      if let waiting = pending.first(where: { $0.alert == record.alert }) {
        record.handled = waiting.deadline - 1
      }
      return record
    }
  }

  /// The next deadline, or the end of the timeout of one that has passed.
  func due(_ alerts: [Int64: Alert]) -> UTCInstant? {
    let waiting = pending.map { $0.deadline + Self.timeout }
    let next = records.values.compactMap { record -> UTCInstant? in
      guard let schedule = alerts[record.alert]?.schedule else { return nil }
      return schedule.next(after: record.handled)?.begin
    }
    return (waiting + next).min()
  }

  /// The set of alerts has changed.
  mutating func keep(_ alerts: [Int64: Alert], at date: UTCInstant) {
    records = records.filter { alerts[$0.key]?.rule.hasDeadline == true }
    pending.removeAll { records[$0.alert] == nil }
    for alert in alerts.values where alert.rule.hasDeadline && records[alert.id] == nil {
      records[alert.id] = Record(alert: alert.id, handled: date)
    }
  }

  /// An alert was edited: deadlines count from now on.
  /// - Parameter isElsewhere: whether it refers to other places now.
  mutating func edited(_ alert: Int64, isElsewhere: Bool, at date: UTCInstant?) {
    pending.removeAll { $0.alert == alert }
    if isElsewhere { records[alert] = nil }
    if let date { records[alert]?.handled = date }
  }

  /// The board has come to a place of an alert, or left it.
  mutating func changed(_ change: PlaceChange, _ alert: Alert) {
    switch (change.change.from, change.change.to) {
    case (.inside, .outside): records[alert.id]?.hasLeft = true
    case (_, .inside): records[alert.id]?.hasLeft = false
    // A board found elsewhere at first keeps the known value.
    default: break
    }
  }

  /// Makes deadlines that have passed pending.
  mutating func passed(at date: UTCInstant, _ alerts: [Int64: Alert]) {
    forgetFuture(after: date)
    for record in records.values.sorted(by: { $0.alert < $1.alert }) {
      guard let alert = alerts[record.alert],
        let latest = alert.schedule?.latest(at: date)?.begin, latest > record.handled
      else { continue }
      records[record.alert]?.handled = latest
      pending.removeAll { $0.alert == record.alert }
      guard date - latest <= Self.late else { continue }
      if alert.rule.kind == .notBackBy, !record.hasLeft { continue }
      pending.append(Pending(alert: record.alert, deadline: latest))
    }
  }

  /// A date that was far ahead and was set back must not suppress deadlines.
  private mutating func forgetFuture(after date: UTCInstant) {
    let latest = date + Self.timeout
    for record in records.values where record.handled > latest {
      records[record.alert]?.handled = date
    }
    pending.removeAll { $0.deadline > latest }
  }

  /// Decides the pending deadlines that need wait no longer.
  /// - Parameters:
  ///   - last: the last location; nil: there is none.
  ///   - isKnown: whether that location still shows where the board is.
  /// - Returns: the alerts of those that the board has missed.
  mutating func decide(
    at date: UTCInstant, _ alerts: [Int64: Alert], _ places: PlaceWatch, _ last: Location?,
    isKnown: Bool
  ) -> [AlertFinding] {
    let decided = pending.filter { one in
      date - one.deadline >= Self.timeout
        || (isKnown && Self.isSettled(alerts[one.alert]?.rule.places, places, last))
    }
    pending.removeAll(where: decided.contains)
    return decided.compactMap { one in
      alerts[one.alert].flatMap { Self.finding($0, places, last, at: date) }
    }
  }

  /// Nil: the board is there.
  private static func finding(
    _ alert: Alert, _ places: PlaceWatch, _ last: Location?, at date: UTCInstant
  ) -> AlertFinding? {
    guard let selection = alert.rule.places else { return nil }
    let chosen = places.places.filter { selection.contains($0.place) }
    guard !chosen.contains(where: { $0.state == .inside }) else { return nil }
    let distances = chosen.compactMap { place, _ in
      last.flatMap { places[PlaceZone(place.id)]?.region?.signedDistance(from: $0.position) }
    }
    let text = AlertText.missing(
      alert.rule.kind, selection.words(chosen.map(\.place)), distance: distances.min(), last,
      at: date)
    return AlertFinding(
      alert, text, place: chosen.count == 1 ? chosen.first?.place : nil, location: last)
  }

  /// Whether the last location leaves no doubt about presence: after an arrival one more may be
  /// needed.
  private static func isSettled(
    _ selection: PlaceSelection?, _ places: PlaceWatch, _ last: Location?
  ) -> Bool {
    guard let selection, let last, !places.isWaiting else { return false }
    let chosen = places.places.filter { selection.contains($0.place) }.map { place, state in
      (isInside: state == .inside, verdict: places[PlaceZone(place.id)]?.verdict(of: last))
    }
    return chosen.contains { $0.isInside && $0.verdict != .outside }
      || chosen.allSatisfy { !$0.isInside && $0.verdict ?? .outside == .outside }
  }

  mutating func restore(_ records: [Record]) {
    self.records = Dictionary(records.map { ($0.alert, $0) }) { first, _ in first }
  }
}
