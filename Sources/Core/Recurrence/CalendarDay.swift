/// A day with the properties that recurrence rules need.
struct CalendarDay {
  /// Since 1970-01-01.
  let number: Int
  let year: Int
  /// 1...12
  let month: Int
  /// 1...31
  let day: Int

  /// - Parameter number: within the years of an instant.
  init(number: Int) {
    let civil = CivilTime(localSeconds: number * CivilTime.secondsInDay)
    self.init(number: number, year: civil.year, month: civil.month, day: civil.day)
  }

  init(number: Int, year: Int, month: Int, day: Int) {
    self.number = number
    self.year = year
    self.month = month
    self.day = day
  }

  var weekday: Weekday { Weekday(ofDay: number) }
  var lengthOfMonth: Int { CivilTime.days(inMonth: month, of: year) }
  var lengthOfYear: Int { CivilTime.days(inMonth: 2, of: year) + 337 }

  /// 1...366
  var dayOfYear: Int {
    number - CivilTime.daysSinceEpoch(year: year, month: 1, day: 1) + 1
  }

  /// Whether a list of numbers contains a place, counted from the beginning or, negative, from the
  /// end.
  /// - Parameter place: 1...count.
  static func names(_ numbers: [Int], _ place: Int, of count: Int) -> Bool {
    numbers.contains(place) || numbers.contains(place - count - 1)
  }

  /// The number of its week, and the number of weeks in the year that contains most of that week:
  /// ISO 8601 with any first day of the week.
  func week(from weekStart: Weekday) -> (number: Int, count: Int) {
    let middle = CalendarDay(number: number - weekday.days(after: weekStart) + 3)
    // 28 December is in the last week of its year, whatever the first day of the week is.
    let end = CivilTime.daysSinceEpoch(year: middle.year, month: 12, day: 28)
    let lastMiddle = end - Weekday(ofDay: end).days(after: weekStart) + 3
    let week = (middle.dayOfYear - 1) / 7
    return (week + 1, week + 1 + (lastMiddle - middle.number) / 7)
  }
}
