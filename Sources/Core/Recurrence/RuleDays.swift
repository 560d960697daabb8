/// The days of a rule, from its start to the last day of the calendar, so that every search ends.
///
/// Days are numbered from 1970-01-01. A search begins in the period (day, week, month, year) of the
/// given day, however long ago the start was.
struct RuleDays: Hashable, Sendable {
  private let rule: RecurrenceRule
  private let selection: RecurrenceRule.Selection
  private let start: Int
  /// The number of the start's period.
  private let origin: Int
  /// The last possible day. For a rule with a count, the day of the last occurrence.
  private(set) var last: Int

  /// 2261-12-31, the last day of `CivilTime`.
  static let horizon = CivilTime.daysSinceEpoch(year: 2261, month: 12, day: 31)

  /// Counts the occurrences once if the rule has a count: 213,000 at most, one a day.
  /// - Parameter limit: the last day of the rule, if it is known.
  init(_ rule: RecurrenceRule, from start: Int, limit: Int = horizon) {
    self.rule = rule
    self.start = start
    selection = Self.completed(rule, from: CalendarDay(number: start))
    origin = Self.period(of: start, rule)
    last = min(limit, Self.horizon)
    guard let first = first(onOrAfter: start) else {
      // A rule that never occurs is searched once only.
      last = start - 1
      return
    }
    if case .count(let count) = rule.end { last = day(ofOccurrence: count) ?? first }
  }

  /// The first day on or after this one; nil if there is none.
  func first(onOrAfter day: Int) -> Int? {
    let day = max(day, start)
    var days: [Int] = []
    var period = period(of: day)
    while let first = firstDay(of: period), first <= last {
      collect(&days, of: period, from: first)
      if let found = days.first(where: { $0 >= day }) { return found <= last ? found : nil }
      period += 1
    }
    return nil
  }

  /// The last day on or before this one; nil if there is none.
  func last(onOrBefore day: Int) -> Int? {
    let day = min(day, last)
    guard day >= start else { return nil }
    var days: [Int] = []
    var period = period(of: day)
    while period >= 0, let first = firstDay(of: period) {
      collect(&days, of: period, from: first)
      if let found = days.last(where: { $0 <= day }) { return found >= start ? found : nil }
      period -= 1
    }
    return nil
  }

  /// - Parameter number: at least 1; the last day of all if there are fewer.
  private func day(ofOccurrence number: Int) -> Int? {
    var days: [Int] = []
    var left = number
    var newest: Int?
    var period = 0
    while let first = firstDay(of: period), first <= last {
      collect(&days, of: period, from: first)
      for day in days where day >= start && day <= last {
        newest = day
        left -= 1
        if left == 0 { return day }
      }
      period += 1
    }
    return newest
  }

  /// Completes the parts that the rule leaves open by its start (RFC 5545 section 3.3.10:
  /// "information, not contained in the rule ... are derived from DTSTART").
  private static func completed(
    _ rule: RecurrenceRule, from start: CalendarDay
  ) -> RecurrenceRule.Selection {
    var selection = rule.selection
    guard selection.yearDays.isEmpty, selection.monthDays.isEmpty, selection.days.isEmpty else {
      return selection
    }
    if rule.frequency == .weekly || !selection.weeks.isEmpty {
      selection.days = [RecurrenceRule.Day(start.weekday)]
    } else if rule.frequency == .monthly || rule.frequency == .yearly {
      selection.monthDays = [start.day]
      if rule.frequency == .yearly, selection.months.isEmpty { selection.months = [start.month] }
    }
    return selection
  }
}

// MARK: Periods

extension RuleDays {
  /// The number of days, weeks, months or years since a fixed origin.
  private static func period(of day: Int, _ rule: RecurrenceRule) -> Int {
    switch rule.frequency {
    case .daily: return day
    case .weekly: return (day + 3 - rule.weekStart.rawValue).flooredQuotient(by: 7)
    case .monthly:
      let date = CalendarDay(number: day)
      return date.year * 12 + date.month - 1
    case .yearly: return CalendarDay(number: day).year
    }
  }

  /// The rule's period that contains the day, or the last one before it; 0 is the start's period.
  private func period(of day: Int) -> Int {
    (Self.period(of: min(day, Self.horizon), rule) - origin).flooredQuotient(by: rule.interval)
  }

  /// Nil beyond the horizon.
  private func firstDay(of period: Int) -> Int? {
    let number = origin + period * rule.interval
    switch rule.frequency {
    case .daily: return number
    case .weekly: return number * 7 - 3 + rule.weekStart.rawValue
    case .monthly:
      let year = number.flooredQuotient(by: 12)
      guard year <= 2261 else { return nil }
      return CivilTime.daysSinceEpoch(
        year: year, month: number.flooredRemainder(by: 12) + 1, day: 1)
    case .yearly:
      guard number <= 2261 else { return nil }
      return CivilTime.daysSinceEpoch(year: number, month: 1, day: 1)
    }
  }

  /// Replaces the days by those that the rule selects in a period, in ascending order. Days before
  /// the start are included, because BYSETPOS counts them.
  private func collect(_ days: inout [Int], of period: Int, from first: Int) {
    days.removeAll(keepingCapacity: true)
    let date = CalendarDay(number: first)
    switch rule.frequency {
    case .daily: add(&days, date)
    case .weekly:
      for number in first..<first + 7 { add(&days, CalendarDay(number: number)) }
    case .monthly: add(&days, monthFrom: date)
    case .yearly:
      var number = first
      for month in 1...12 {
        add(&days, monthFrom: CalendarDay(number: number, year: date.year, month: month, day: 1))
        number += CivilTime.days(inMonth: month, of: date.year)
      }
    }
    if !selection.positions.isEmpty {
      days = days.enumerated().filter { place, _ in
        CalendarDay.names(selection.positions, place + 1, of: days.count)
      }.map(\.element)
    }
  }

  private func add(_ days: inout [Int], monthFrom first: CalendarDay) {
    guard chooses(month: first.month) else { return }
    for day in 1...first.lengthOfMonth {
      let number = first.number + day - 1
      let date = CalendarDay(number: number, year: first.year, month: first.month, day: day)
      if choosesWithinMonth(date) { days.append(number) }
    }
  }

  private func add(_ days: inout [Int], _ date: CalendarDay) {
    if chooses(month: date.month), choosesWithinMonth(date) { days.append(date.number) }
  }

  private func chooses(month: Int) -> Bool {
    selection.months.isEmpty || selection.months.contains(month)
  }

  /// Every part that is present must contain the day. Within a period this is equivalent to the
  /// RFC's table of expanding and limiting parts.
  private func choosesWithinMonth(_ date: CalendarDay) -> Bool {
    if !selection.monthDays.isEmpty,
      !CalendarDay.names(selection.monthDays, date.day, of: date.lengthOfMonth)
    {
      return false
    }
    if !selection.days.isEmpty, !choosesWeekday(of: date) { return false }
    if !selection.yearDays.isEmpty,
      !CalendarDay.names(selection.yearDays, date.dayOfYear, of: date.lengthOfYear)
    {
      return false
    }
    if !selection.weeks.isEmpty {
      let week = date.week(from: rule.weekStart)
      return CalendarDay.names(selection.weeks, week.number, of: week.count)
    }
    return true
  }

  private func choosesWeekday(of date: CalendarDay) -> Bool {
    let weekday = date.weekday
    return selection.days.contains { day in
      guard day.weekday == weekday else { return false }
      guard let ordinal = day.ordinal else { return true }
      // In a year, ordinals count the year's weekdays, unless months are given.
      let isInMonth = rule.frequency == .monthly || !selection.months.isEmpty
      let place = isInMonth ? date.day : date.dayOfYear
      let count = isInMonth ? date.lengthOfMonth : date.lengthOfYear
      return ordinal == (place - 1) / 7 + 1 || ordinal == -((count - place) / 7 + 1)
    }
  }
}
