import ArgumentParser
import Core

/// Days and times of day in a form for people, converted to iCalendar in the board's time zone.
struct WeeklyHours: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only between these times of day; across midnight if the second is earlier.",
      valueName: "hh:mm-hh:mm"))
  var between: TimesOfDay?
  @Option(
    help: ArgumentHelp(
      "Days of the week: mo,tu,we,th,fr,sa,su. Default: every day.", valueName: "days"))
  var on: WeekdaysOption?
  @Option(
    help: ArgumentHelp(
      "Schedule as lines of iCalendar instead: DTSTART, DTEND or DURATION, RRULE, EXDATE.",
      valueName: "text"))
  var schedule: String?

  func validate() throws {
    guard between == nil || schedule == nil else {
      throw ValidationError("use only one of --between and --schedule")
    }
    if on != nil, schedule != nil {
      throw ValidationError("--on is part of --schedule: use RRULE")
    }
  }

  /// For commands that can also remove the times.
  func validate(removed: Bool) throws {
    guard !removed || calendar == nil else {
      throw ValidationError("use only one of --always and --between, --on, --schedule")
    }
  }

  /// Nil: no times were given.
  var calendar: String? { calendar(at: nil) }

  /// In the board's time zone; nil: no times were given.
  func read() throws(CommandError) -> Schedule? {
    guard let calendar else { return nil }
    let zones = SystemTimeZones()
    do {
      return try Schedule(calendar: calendar, local: zones.local, zones: zones.zone)
    } catch {
      throw .wrongUsage("schedule: it \(error)")
    }
  }

  /// - Parameter moment: a time of day instead of a range.
  func calendar(at moment: TimeOfDay?) -> String? {
    if let schedule { return schedule }
    guard moment != nil || between != nil || on != nil else { return nil }
    let start = moment ?? between?.from ?? TimeOfDay(minutes: 0)
    let minutes = moment != nil ? 0 : between?.minutes ?? 24 * 60
    let rule = on.map { "FREQ=WEEKLY;BYDAY=\($0.text)" } ?? "FREQ=DAILY"
    // A date long ago: "by 18:00" means every day.
    return "DTSTART:20240101T\(start.digits)00\r\nDURATION:PT\(minutes)M\r\nRRULE:\(rule)\r\n"
  }
}

struct TimeOfDay: ExpressibleByArgument, Sendable {
  let minutes: Int

  init(minutes: Int) { self.minutes = minutes }

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2) ~= $0.utf8.count }),
      let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), hour < 24, minute < 60
    else { return nil }
    minutes = Int(hour) * 60 + Int(minute)
  }

  /// `0815`
  var digits: String {
    [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
  }
}

struct TimesOfDay: ExpressibleByArgument, Sendable {
  let from: TimeOfDay
  private let to: TimeOfDay

  init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let from = TimeOfDay(argument: parts[0]),
      let to = TimeOfDay(argument: parts[1]), from.minutes != to.minutes
    else { return nil }
    self.from = from
    self.to = to
  }

  var minutes: Int { (to.minutes - from.minutes + 24 * 60) % (24 * 60) }
}

struct WeekdaysOption: ExpressibleByArgument, Sendable {
  /// In the format of BYDAY (RFC 5545, section 3.3.10).
  let text: String

  init?(argument: String) {
    let days = argument.uppercased().split(separator: ",", omittingEmptySubsequences: false)
    guard !days.isEmpty,
      days.allSatisfy({ ["MO", "TU", "WE", "TH", "FR", "SA", "SU"].contains($0) })
    else { return nil }
    text = days.joined(separator: ",")
  }
}
