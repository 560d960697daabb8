extension Schedule {
  /// Reads the iCalendar lines DTSTART, DTEND or DURATION, RRULE and EXDATE, in any order. Every
  /// other line is rejected, so that nothing that changes the schedule is ignored.
  ///
  /// A date without a time is midnight. A start that is a date lasts one day unless a length is
  /// given.
  /// - Parameter zones: finds a zone by its TZID.
  /// - Parameter local: the zone of times without a TZID.
  public init(
    calendar text: String, local: TimeZoneRules, zones: (String) -> TimeZoneRules?
  ) throws(RecurrenceError) {
    guard text.utf8.count <= Self.maximumTextLength else {
      throw .tooLong(bytes: text.utf8.count)
    }
    var reader = CalendarReader(local: local)
    for line in ContentLine.lines(of: text) {
      try reader.read(ContentLine(parsing: line[...]), zones)
    }
    self = try reader.schedule()
  }

  /// iCalendar lines: DTSTART, DURATION, RRULE and EXDATE, each folded after 75 octets and with its
  /// end. A DTEND is written as a DURATION of as many seconds.
  public var calendar: String {
    var lines = ["DTSTART\(written(start))"]
    if duration != .zero { lines.append("DURATION:\(duration.text)") }
    if let rule { lines.append("RRULE:\(rule.text)") }
    for exception in exceptions {
      let local = zone.localTime(at: exception)
      let isExcluded = zone.reading(of: local)?.instant == exception
      lines.append("EXDATE" + (isExcluded ? written(local) : ":\(CalendarTime.text(exception))"))
    }
    return lines.map(ContentLine.folded).joined()
  }

  /// The same schedule for a reader without a time zone database: its text has the rules of the
  /// zone, as they are now, in place of the zone's name.
  public func withZoneRules() throws(RecurrenceError) -> Schedule {
    guard zone != .utc, zone.name != zone.posix else { return self }
    guard let rules = try? TimeZoneRules(name: zone.posix, posix: zone.posix) else {
      throw .unknownZone(zone.name)
    }
    return try Schedule(
      start: start, in: rules, lasting: duration, rule: rule, exceptions: exceptions)
  }

  /// Reads the text of a schedule with zone rules.
  public init(withZoneRules text: String) throws(RecurrenceError) {
    try self.init(
      calendar: text, local: .utc, zones: { try? TimeZoneRules(name: $0, posix: $0) })
  }

  /// With its zone; UTC is the suffix Z.
  private func written(_ local: CivilTime) -> String {
    if zone == .utc { return ":\(CalendarTime.text(local))Z" }
    // RFC 5545 section 3.2: a value with a colon, semicolon or comma is quoted.
    let isPlain = zone.name.allSatisfy { !":;,".contains($0) }
    let name = isPlain ? zone.name : "\"\(zone.name)\""
    return ";TZID=\(name):\(CalendarTime.text(local))"
  }
}

/// The lines of a schedule that have been read so far.
private struct CalendarReader {
  private struct Moment {
    let time: CalendarTime
    let zone: TimeZoneRules
  }

  private let local: TimeZoneRules
  private var start: Moment?
  private var end: Moment?
  private var duration: NominalDuration?
  private var rule: RecurrenceRule?
  private var exceptions: [Moment] = []

  init(local: TimeZoneRules) { self.local = local }

  mutating func read(
    _ line: ContentLine, _ zones: (String) -> TimeZoneRules?
  ) throws(RecurrenceError) {
    func alone(_ isFirst: Bool) throws(RecurrenceError) {
      guard isFirst else { throw .repeated(line.name) }
    }
    switch line.name {
    case "DTSTART":
      try alone(start == nil)
      start = try moment(line.value, try zone(of: line, zones), line.name)
    case "DTEND":
      try alone(end == nil)
      end = try moment(line.value, try zone(of: line, zones), line.name)
    case "DURATION":
      try alone(duration == nil)
      duration = try NominalDuration(parsing: line.value)
    case "RRULE":
      try alone(rule == nil)
      rule = try RecurrenceRule(parsing: line.value)
    case "EXDATE":
      let zone = try zone(of: line, zones)
      for value in line.value.split(separator: ",", omittingEmptySubsequences: false) {
        guard exceptions.count < Schedule.maximumExceptions else { throw .tooManyExceptions }
        exceptions.append(try moment(value, zone, line.name))
      }
    case "RDATE", "EXRULE", "RECURRENCE-ID":
      throw .unsupported(line.name, instead: "use a separate schedule for the other times")
    default:
      throw .unsupported(
        String(line.name.prefix(40)), instead: "write DTSTART, DTEND or DURATION, RRULE, EXDATE")
    }
  }

  /// The schedule, when all lines of the text have been read.
  func schedule() throws(RecurrenceError) -> Schedule {
    guard let start else { throw .missing("DTSTART") }
    if end != nil, duration != nil { throw .conflicting("DTEND", "DURATION") }
    let (civil, isDate) = civil(start)
    return try Schedule(
      start: civil, in: start.zone, lasting: try length(from: start, isDate: isDate), rule: rule,
      exceptions: exceptions.map { exception in
        guard case .date(let date) = exception.time else { return instant(exception) }
        // A date alone denotes the occurrence of that day.
        var moment = civil
        moment.year = date.year
        moment.month = date.month
        moment.day = date.day
        return instant(Moment(time: .local(moment), zone: start.zone))
      })
  }

  private func length(
    from start: Moment, isDate: Bool
  ) throws(RecurrenceError) -> NominalDuration {
    if let duration { return duration }
    guard let end else { return isDate ? try NominalDuration(days: 1) : .zero }
    if case .date(let first) = start.time, case .date(let last) = end.time {
      let days = ((last.localSeconds ?? 0) - (first.localSeconds ?? 0)) / CivilTime.secondsInDay
      return try NominalDuration(days: days)
    }
    return try NominalDuration(
      seconds: instant(end).wholeSeconds - instant(start).wholeSeconds)
  }

  private func civil(_ moment: Moment) -> (CivilTime, isDate: Bool) {
    switch moment.time {
    case .date(let civil): (civil, true)
    case .local(let civil): (civil, false)
    case .utc(let instant): (CivilTime(instant), false)
    }
  }

  private func instant(_ moment: Moment) -> UTCInstant {
    switch moment.time {
    case .utc(let instant): return instant
    case .date(let civil), .local(let civil):
      let local = civil.localSeconds ?? 0
      return UTCInstant(wholeSeconds: moment.zone.second(ofLocalSeconds: local))
    }
  }

  private func moment(
    _ text: some StringProtocol, _ zone: TimeZoneRules, _ name: String
  ) throws(RecurrenceError) -> Moment {
    guard let time = CalendarTime(text) else {
      throw .badValue(part: name, value: String(text.prefix(40)))
    }
    if case .utc = time { return Moment(time: time, zone: .utc) }
    return Moment(time: time, zone: zone)
  }

  private func zone(
    of line: ContentLine, _ zones: (String) -> TimeZoneRules?
  ) throws(RecurrenceError) -> TimeZoneRules {
    var zone = local
    for parameter in line.parameters {
      switch parameter.name {
      case "TZID":
        guard let found = zones(parameter.value) else {
          throw .unknownZone(String(parameter.value.prefix(40)))
        }
        zone = found
      case "VALUE" where ["DATE", "DATE-TIME"].contains(parameter.value.uppercased()): break
      default: throw .malformed("\(line.name);\(parameter.name.prefix(40))")
      }
    }
    return zone
  }
}
