import Core

/// By when the board has to be at a place: the deadlines are the beginnings of a schedule.
struct DeadlineWatch: Sendable {
  struct Record: Hashable, Sendable {
    let alert: Int64
    /// The last deadline that was dealt with, or when the alert came: those before do not count.
    var handled: UTCInstant
    /// Whether the board was there and has left, for one that is to be back.
    var hasLeft = false
  }

  /// A deadline that has passed and is to be decided.
  struct Pending: Hashable, Sendable {
    let alert: Int64
    let deadline: UTCInstant
  }

  /// So long somebody looks for the board before it is said that it is not there.
  static let patience: Seconds = 300
  /// A deadline that nobody could watch, because the daemon did not run, is told for so long.
  static let late: Seconds = .hours(6)

  private(set) var records: [Int64: Record] = [:]
  private(set) var pending: [Pending] = []

  /// For the next run, which decides again what is not decided yet.
  var remembered: [Record] {
    records.values.map { record in
      var record = record
      if let waiting = pending.first(where: { $0.alert == record.alert }) {
        record.handled = waiting.deadline - 1
      }
      return record
    }
  }

  /// The next deadline, or the end of the patience with one that has passed.
  func due(_ alerts: [Int64: Alert]) -> UTCInstant? {
    let waiting = pending.map { $0.deadline + Self.patience }
    let next = records.values.compactMap { record -> UTCInstant? in
      guard let schedule = alerts[record.alert]?.schedule else { return nil }
      return schedule.next(after: record.handled)?.begin
    }
    return (waiting + next).min()
  }

  /// Alerts have come or gone.
  mutating func keep(_ alerts: [Int64: Alert], at date: UTCInstant) {
    records = records.filter { alerts[$0.key]?.rule.hasDeadline == true }
    pending.removeAll { records[$0.alert] == nil }
    for alert in alerts.values where alert.rule.hasDeadline && records[alert.id] == nil {
      records[alert.id] = Record(alert: alert.id, handled: date)
    }
  }

  /// Somebody has edited an alert: deadlines count from now on.
  /// - Parameter isElsewhere: whether it is about other places now.
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
    // Who is found elsewhere has left, or not, as is known.
    default: break
    }
  }

  /// The deadlines that have passed wait for a decision.
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

  /// A date that was far ahead and was set back must not silence it.
  private mutating func forgetFuture(after date: UTCInstant) {
    let latest = date + Self.patience
    for record in records.values where record.handled > latest {
      records[record.alert]?.handled = date
    }
    pending.removeAll { $0.deadline > latest }
  }

  /// Whether nobody waits any longer.
  func isOver(_ one: Pending, at date: UTCInstant) -> Bool {
    date - one.deadline >= Self.patience
  }

  mutating func decided(_ some: [Pending]) { pending.removeAll(where: some.contains) }

  mutating func restore(_ records: [Record]) {
    self.records = Dictionary(records.map { ($0.alert, $0) }) { first, _ in first }
  }
}
