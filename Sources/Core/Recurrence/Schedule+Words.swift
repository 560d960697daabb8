extension Schedule {
  /// For people: `Mon-Fri 08:00-17:00`, `daily at 08:15`, `2026-02-03 08:00-10:00`.
  /// - Parameter local: the zone that is not named in the text.
  public func words(in local: TimeZoneRules) -> String {
    var words = [days, times].filter { !$0.isEmpty }
    switch rule?.end {
    case .count(let count): words.append("(\(count) times)")
    case .date(let civil), .localTime(let civil): words.append("until \(Self.date(civil))")
    case .instant(let instant): words.append("until \(Self.date(zone.localTime(at: instant)))")
    case .never, nil: break
    }
    if !exceptions.isEmpty { words.append("with exceptions") }
    if zone.posix != local.posix { words.append(zone.name) }
    return words.joined(separator: " ")
  }

  private var days: String {
    guard let rule else { return Self.date(start) }
    var others = rule.selection
    others.days = []
    let isPlain = others == RecurrenceRule.Selection()
    switch rule.frequency {
    case .daily where isPlain && rule.selection.days.isEmpty:
      return rule.interval == 1 ? "daily" : "every \(rule.interval) days"
    case .weekly where isPlain:
      let chosen = rule.selection.days.map(\.weekday)
      let names = Self.names(chosen.isEmpty ? [weekdayOfStart] : chosen)
      return rule.interval == 1 ? names : "every \(rule.interval) weeks on \(names)"
    default: return rule.text
    }
  }

  private var weekdayOfStart: Weekday {
    Weekday(
      ofDay: CivilTime.daysSinceEpoch(year: start.year, month: start.month, day: start.day))
  }

  /// Three and more days in a row are written as the first and the last.
  private static func names(_ days: [Weekday]) -> String {
    var runs: [[Weekday]] = []
    for day in days.sorted() {
      if let last = runs.last?.last, last.rawValue + 1 == day.rawValue {
        runs[runs.count - 1].append(day)
      } else {
        runs.append([day])
      }
    }
    return runs.map { run in
      run.count < 3
        ? run.map(\.name).joined(separator: ",") : "\(run[0].name)-\(run[run.count - 1].name)"
    }.joined(separator: ",")
  }

  private var times: String {
    let seconds = duration.days * CivilTime.secondsInDay + duration.seconds
    let begin = start.clock
    if seconds == 0 { return "at \(begin)" }
    if seconds == CivilTime.secondsInDay, begin == "00:00" { return "" }
    guard seconds <= CivilTime.secondsInDay, let local = start.localSeconds else {
      let minutes = seconds % 3600 / 60
      return "from \(begin) for \(seconds / 3600) h" + (minutes == 0 ? "" : " \(minutes) min")
    }
    return "\(begin)-\(CivilTime(localSeconds: local + seconds).clock)"
  }

  fileprivate static func date(_ civil: CivilTime) -> String {
    "\(civil.year)-\(civil.month.twoDigits)-\(civil.day.twoDigits)"
  }
}

extension TimeZoneRules {
  /// For people, to the minute: with the weekday within the next six days, otherwise with the date.
  public func words(_ instant: UTCInstant, seenFrom date: UTCInstant) -> String {
    let local = localTime(at: instant)
    let isSoon = instant >= date && instant - date < .days(6)
    let day = CivilTime.daysSinceEpoch(year: local.year, month: local.month, day: local.day)
    return (isSoon ? Weekday(ofDay: day).name : Schedule.date(local)) + " \(local.clock)"
  }
}

extension Weekday {
  /// Three letters.
  fileprivate var name: String {
    switch self {
    case .monday: "Mon"
    case .tuesday: "Tue"
    case .wednesday: "Wed"
    case .thursday: "Thu"
    case .friday: "Fri"
    case .saturday: "Sat"
    case .sunday: "Sun"
    }
  }
}

extension CivilTime {
  /// `08:15`
  fileprivate var clock: String { "\(hour.twoDigits):\(minute.twoDigits)" }
}

extension Int {
  fileprivate var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
