/// A zone defined by its two changes per year, as in the TZ variable of POSIX and in the footer of
/// a TZif file (RFC 9636 section 3.3): `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixTimeZone: Hashable, Sendable {
  let text: String
  /// Standard time, seconds east of UTC.
  let standard: Int
  let summer: Summer?

  /// The alternative time of the year. Where it is behind standard time, as in Ireland, it applies
  /// in winter.
  struct Summer: Hashable, Sendable {
    /// Seconds east of UTC.
    let offset: Int
    /// The change to summer time, in standard time.
    let begin: YearlyChange
    /// The change back, in summer time.
    let end: YearlyChange
  }

  /// A moment that recurs every year.
  struct YearlyChange: Hashable, Sendable {
    let day: Day
    /// Seconds after midnight; RFC 9636 section 3.3.2 allows ±167 hours.
    let time: Int

    enum Day: Hashable, Sendable {
      /// `Jn`, 1...365: 29 February is not counted.
      case withoutLeapDay(Int)
      /// `n`, 0...365: 29 February is counted.
      case zeroBased(Int)
      /// `Mm.w.d`: the weekday (0 is Sunday) of week 1...5 of the month, 5 being the last.
      case weekday(month: Int, week: Int, weekday: Int)
    }

    /// The local seconds of the change in that year.
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
  /// changes before the period give the offset at its beginning.
  func changes(from first: Int, through last: Int) -> [OffsetChange] {
    guard let summer else { return [] }
    // A change may fall up to a week outside its year. So the last change before New Year may
    // belong to the year before that.
    let years = CivilTime(localSeconds: first).year - 2...CivilTime(localSeconds: last).year + 1
    var changes: [OffsetChange] = []
    for year in years {
      let begin = summer.begin.localSeconds(in: year) - standard
      let end = summer.end.localSeconds(in: year) - summer.offset
      changes.append(OffsetChange(begin: begin, offset: summer.offset))
      changes.append(OffsetChange(begin: end, offset: standard))
    }
    // Where summer time lasts all year, it ends in the second in which the next one begins.
    return changes.sorted { a, b in
      a.begin < b.begin || a.begin == b.begin && b.offset == summer.offset && a.offset != b.offset
    }
  }
}
