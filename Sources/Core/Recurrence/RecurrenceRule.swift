/// The days on which something recurs: iCalendar's RRULE (RFC 5545 section 3.3.10) with a frequency
/// of a day or longer. The time of day is that of the schedule's start.
///
/// Parts that a rule leaves open (weekday, day of the month, month) are taken from the start. A
/// start that does not match the rule is no occurrence; the RFC leaves that undefined. Days that a
/// month does not have are skipped.
public struct RecurrenceRule: Hashable, Sendable {
  public enum Frequency: String, Hashable, Sendable, CaseIterable {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  public enum End: Hashable, Sendable {
    case never
    /// After this number of occurrences, exceptions included; at least 1.
    case count(Int)
    /// The last date; only year, month and day are used.
    case date(CivilTime)
    /// The last local time of the zone, inclusive.
    case localTime(CivilTime)
    /// The last instant, inclusive.
    case instant(UTCInstant)
  }

  /// BYDAY: every such weekday, or the ordinal-th of the month or year, counted from the end where
  /// it is negative.
  public struct Day: Hashable, Sendable, Comparable {
    /// ±1...53
    let ordinal: Int?
    let weekday: Weekday

    public init(_ weekday: Weekday, ordinal: Int? = nil) {
      self.weekday = weekday
      self.ordinal = ordinal
    }

    public static func < (a: Day, b: Day) -> Bool {
      (a.ordinal ?? 0, a.weekday) < (b.ordinal ?? 0, b.weekday)
    }
  }

  /// The parts that select days within a period; an empty list does not restrict. Negative numbers
  /// count from the end.
  public struct Selection: Hashable, Sendable {
    /// BYMONTH: 1...12
    public var months: [Int] = []
    /// BYWEEKNO: ±1...53
    public var weeks: [Int] = []
    /// BYYEARDAY: ±1...366
    public var yearDays: [Int] = []
    /// BYMONTHDAY: ±1...31
    public var monthDays: [Int] = []
    /// BYDAY
    public var days: [Day] = []
    /// BYSETPOS: ±1...366, positions among the days that the other parts select.
    public var positions: [Int] = []

    public init() {}

    /// Each list in ascending order without duplicates, so that equivalent rules are equal.
    fileprivate var normalized: Selection {
      var selection = self
      selection.months = Set(months).sorted()
      selection.weeks = Set(weeks).sorted()
      selection.yearDays = Set(yearDays).sorted()
      selection.monthDays = Set(monthDays).sorted()
      selection.days = Set(days).sorted()
      selection.positions = Set(positions).sorted()
      return selection
    }
  }

  public let frequency: Frequency
  /// The number of days, weeks, months or years between periods, 1...`maximumInterval`.
  public let interval: Int
  public let end: End
  public let selection: Selection
  /// WKST: the first day of the week.
  public let weekStart: Weekday

  /// Large enough for every calendar, and small enough to exclude overflow.
  static let maximumInterval = 999_999

  /// Throws if a number is out of range, or if parts exclude each other.
  public init(
    _ frequency: Frequency, interval: Int = 1, end: End = .never,
    selecting selection: Selection = Selection(), weekStart: Weekday = .monday
  ) throws(RecurrenceError) {
    try Self.check(interval, end)
    try Self.check(selection)
    try Self.check(selection, with: frequency)
    self.frequency = frequency
    self.interval = interval
    self.end = Self.normalized(end)
    self.selection = selection.normalized
    self.weekStart = weekStart
  }

  private init(every frequency: Frequency) {
    self.frequency = frequency
    interval = 1
    end = .never
    selection = Selection()
    weekStart = .monday
  }

  public static let daily = RecurrenceRule(every: .daily)
  public static let weekly = RecurrenceRule(every: .weekly)
  static let monthly = RecurrenceRule(every: .monthly)
  static let yearly = RecurrenceRule(every: .yearly)

  private static func normalized(_ end: End) -> End {
    switch end {
    case .date(let date):
      .date(CivilTime(year: date.year, month: date.month, day: date.day))
    case .never, .count, .localTime, .instant: end
    }
  }

  private static func check(_ interval: Int, _ end: End) throws(RecurrenceError) {
    guard (1...maximumInterval).contains(interval) else {
      throw .badValue(part: "INTERVAL", value: "\(interval)")
    }
    switch end {
    case .never: break
    case .count(let count):
      guard count >= 1 else { throw .badValue(part: "COUNT", value: "\(count)") }
    case .date(let civil), .localTime(let civil):
      guard civil.isValid, civil.nanosecond == 0 else { throw .noSuchTime }
    case .instant(let instant):
      guard CivilTime.moments.contains(instant), instant.nanoseconds % 1_000_000_000 == 0 else {
        throw .noSuchTime
      }
    }
  }

  private static func check(_ selection: Selection) throws(RecurrenceError) {
    func check(_ part: String, _ numbers: [Int], _ limit: Int) throws(RecurrenceError) {
      guard let wrong = numbers.first(where: { $0 == 0 || $0.magnitude > limit }) else { return }
      throw .badValue(part: part, value: "\(wrong)")
    }
    if let wrong = selection.months.first(where: { !(1...12).contains($0) }) {
      throw .badValue(part: "BYMONTH", value: "\(wrong)")
    }
    try check("BYWEEKNO", selection.weeks, 53)
    try check("BYYEARDAY", selection.yearDays, 366)
    try check("BYMONTHDAY", selection.monthDays, 31)
    try check("BYDAY", selection.days.compactMap(\.ordinal), 53)
    try check("BYSETPOS", selection.positions, 366)
  }

  /// The RFC's table of the parts that each frequency may be combined with.
  private static func check(
    _ selection: Selection, with frequency: Frequency
  ) throws(RecurrenceError) {
    let word = "FREQ=\(frequency.rawValue)"
    if !selection.weeks.isEmpty, frequency != .yearly { throw .conflicting(word, "BYWEEKNO") }
    if !selection.yearDays.isEmpty, frequency != .yearly { throw .conflicting(word, "BYYEARDAY") }
    if !selection.monthDays.isEmpty, frequency == .weekly { throw .conflicting(word, "BYMONTHDAY") }
    if selection.days.contains(where: { $0.ordinal != nil }) {
      if frequency == .daily || frequency == .weekly {
        throw .conflicting(word, "numbers in BYDAY")
      }
      if !selection.weeks.isEmpty { throw .conflicting("BYWEEKNO", "numbers in BYDAY") }
    }
    var others = selection
    others.positions = []
    if !selection.positions.isEmpty, others == Selection() { throw .positionsOfNothing }
  }
}
