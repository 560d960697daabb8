/// A zone by the two changes of its year, as POSIX writes it in TZ and RFC 9636 (section 3.3) in
/// the footer of a TZif file: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixTimeZone: Hashable, Sendable {
  /// Standard time, seconds east of UTC.
  let standard: Int
  let summer: Summer?

  /// The other time of the year. Where it is behind standard time, as in Ireland, it is the
  /// winter's.
  struct Summer: Hashable, Sendable {
    /// Seconds east of UTC.
    let offset: Int
    /// When it begins, in standard time.
    let begin: YearlyChange
    /// When it ends, in summer time.
    let end: YearlyChange
  }

  /// A second of every year.
  struct YearlyChange: Hashable, Sendable {
    let day: Day
    /// Seconds after midnight; RFC 9636 section 3.3.2 allows ±167 hours.
    let time: Int

    enum Day: Hashable, Sendable {
      /// `Jn`, 1...365: 29 February is never counted.
      case withoutLeapDay(Int)
      /// `n`, 0...365: it is.
      case zeroBased(Int)
      /// `Mm.w.d`: the weekday (0 is Sunday) of week 1...5 of the month, 5 being the last.
      case weekday(month: Int, week: Int, weekday: Int)
    }

    /// Local seconds of the change in that year.
    func localSeconds(in year: Int) -> Int {
      dayNumber(in: year) * CivilTime.secondsInDay + time
    }

    private func dayNumber(in year: Int) -> Int {
      switch day {
      case .withoutLeapDay(let number):
        let isLeap = CivilTime.days(inMonth: 2, of: year) == 29
        let leapDay = isLeap && number >= 60 ? 1 : 0
        return CivilTime.daysSinceEpoch(year: year, month: 1, day: 1) + number - 1 + leapDay
      case .zeroBased(let number):
        return CivilTime.daysSinceEpoch(year: year, month: 1, day: 1) + number
      case .weekday(let month, let week, let weekday):
        let first = CivilTime.daysSinceEpoch(year: year, month: month, day: 1)
        // 1970-01-01 was a Thursday, 4 where Sunday is 0.
        let toFirst = (weekday - (first + 4)).flooredRemainder(by: 7)
        let length = CivilTime.days(inMonth: month, of: year)
        var inMonth = toFirst + 7 * (week - 1)
        while inMonth >= length { inMonth -= 7 }
        return first + inMonth
      }
    }
  }

  /// Seconds east of UTC.
  func offset(at second: Int) -> Int {
    changes(from: second, through: second).last { $0.begin <= second }?.offset ?? standard
  }

  /// The changes of a period in ascending order, and those of up to three years around it: the
  /// first ones tell what is in force when it begins.
  func changes(from first: Int, through last: Int) -> [OffsetChange] {
    guard let summer else { return [] }
    // A change may be a week away from its year: the last one before New Year may be of the year
    // before that.
    let years = CivilTime(localSeconds: first).year - 2...CivilTime(localSeconds: last).year + 1
    var changes: [OffsetChange] = []
    for year in years {
      let begin = summer.begin.localSeconds(in: year) - standard
      let end = summer.end.localSeconds(in: year) - summer.offset
      changes.append(OffsetChange(begin: begin, offset: summer.offset))
      changes.append(OffsetChange(begin: end, offset: standard))
    }
    // Where summer time lasts all year it ends in the second in which the next one begins.
    return changes.sorted { a, b in
      a.begin < b.begin || a.begin == b.begin && b.offset == summer.offset && a.offset != b.offset
    }
  }
}
