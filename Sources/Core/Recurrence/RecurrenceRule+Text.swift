extension RecurrenceRule {
  /// Reads the value of `RRULE:`, such as `FREQ=WEEKLY;BYDAY=MO,WE`, in upper or lower case.
  public init(parsing text: String) throws(RecurrenceError) {
    guard text.utf8.count <= Schedule.maximumTextLength else {
      throw .tooLong(bytes: text.utf8.count)
    }
    var parts = RuleParts()
    for part in text.uppercased().split(separator: ";", omittingEmptySubsequences: false) {
      try parts.read(part)
    }
    guard let frequency = parts.frequency else { throw .missing("FREQ") }
    try self.init(
      frequency, interval: parts.interval, end: parts.end ?? .never, selecting: parts.selection,
      weekStart: parts.weekStart)
  }

  /// The value of RRULE; iCalendar's defaults are left out.
  public var text: String {
    var parts = ["FREQ=\(frequency.rawValue)"]
    switch end {
    case .never: break
    case .count(let count): parts.append("COUNT=\(count)")
    case .date(let date): parts.append("UNTIL=\(CalendarTime.date(date))")
    case .localTime(let civil): parts.append("UNTIL=\(CalendarTime.text(civil))")
    case .instant(let instant): parts.append("UNTIL=\(CalendarTime.text(instant))")
    }
    if interval > 1 { parts.append("INTERVAL=\(interval)") }
    let lists = [
      ("BYMONTH", selection.months), ("BYWEEKNO", selection.weeks),
      ("BYYEARDAY", selection.yearDays), ("BYMONTHDAY", selection.monthDays),
    ]
    for (name, numbers) in lists where !numbers.isEmpty {
      parts.append("\(name)=\(Self.list(numbers.map(String.init)))")
    }
    if !selection.days.isEmpty {
      let days = selection.days.map { ($0.ordinal.map(String.init) ?? "") + $0.weekday.code }
      parts.append("BYDAY=\(Self.list(days))")
    }
    if !selection.positions.isEmpty {
      parts.append("BYSETPOS=\(Self.list(selection.positions.map(String.init)))")
    }
    if weekStart != .monday { parts.append("WKST=\(weekStart.code)") }
    return parts.joined(separator: ";")
  }

  private static func list(_ words: [String]) -> String { words.joined(separator: ",") }
}

/// The parts of a rule that have been read so far.
private struct RuleParts {
  private(set) var frequency: RecurrenceRule.Frequency?
  private(set) var interval = 1
  private(set) var end: RecurrenceRule.End?
  private(set) var selection = RecurrenceRule.Selection()
  private(set) var weekStart = Weekday.monday
  private var seen: Set<Substring> = []

  /// - Parameter part: `NAME=VALUE`, in capitals.
  mutating func read(_ part: Substring) throws(RecurrenceError) {
    guard let equals = part.firstIndex(of: "=") else {
      throw .malformed("RRULE part \(part.prefix(40))")
    }
    let name = part[..<equals]
    let value = part[part.index(after: equals)...]
    guard seen.insert(name).inserted else { throw .repeated(String(name.prefix(40))) }
    switch name {
    case "FREQ": frequency = try Self.frequency(value)
    case "INTERVAL":
      guard let number = CalendarTime.number(value) else { throw Self.error(name, value) }
      interval = number
    case "COUNT", "UNTIL":
      guard end == nil else { throw .conflicting("COUNT", "UNTIL") }
      end = try Self.end(name, value)
    case "BYMONTH": selection.months = try Self.numbers(name, value)
    case "BYWEEKNO": selection.weeks = try Self.numbers(name, value)
    case "BYYEARDAY": selection.yearDays = try Self.numbers(name, value)
    case "BYMONTHDAY": selection.monthDays = try Self.numbers(name, value)
    case "BYSETPOS": selection.positions = try Self.numbers(name, value)
    case "BYDAY":
      for word in value.split(separator: ",", omittingEmptySubsequences: false) {
        selection.days.append(try Self.day(word))
      }
    case "WKST":
      guard let day = Weekday(code: value) else { throw Self.error(name, value) }
      weekStart = day
    default: throw Self.unknown(name)
    }
  }

  private static func error(
    _ name: some StringProtocol, _ value: some StringProtocol
  ) -> RecurrenceError {
    .badValue(part: String(name), value: String(value.prefix(40)))
  }

  private static func unknown(_ name: Substring) -> RecurrenceError {
    switch name {
    case "BYHOUR", "BYMINUTE", "BYSECOND":
      .unsupported(String(name), instead: "use a separate schedule for every time of day")
    case "RSCALE":
      .unsupported("RSCALE", instead: "leave it out, the calendar is the Gregorian one")
    case "SKIP":
      .unsupported("SKIP", instead: "leave it out; BYMONTHDAY=-1 is the last day of any month")
    default: .malformed("RRULE part \(name.prefix(40))")
    }
  }

  private static func frequency(
    _ value: Substring
  ) throws(RecurrenceError) -> RecurrenceRule.Frequency {
    if let frequency = RecurrenceRule.Frequency(rawValue: String(value)) { return frequency }
    guard ["SECONDLY", "MINUTELY", "HOURLY"].contains(value) else { throw error("FREQ", value) }
    throw .unsupported(
      "FREQ=\(value)", instead: "write FREQ=DAILY, and a separate schedule for every time of day")
  }

  private static func end(
    _ name: Substring, _ value: Substring
  ) throws(RecurrenceError) -> RecurrenceRule.End {
    if name == "COUNT" {
      guard let count = CalendarTime.number(value) else { throw error(name, value) }
      return .count(count)
    }
    return switch CalendarTime(value) {
    case .date(let date): .date(date)
    case .local(let civil): .localTime(civil)
    case .utc(let instant): .instant(instant)
    case nil: throw error(name, value)
    }
  }

  private static func numbers(
    _ name: Substring, _ value: Substring
  ) throws(RecurrenceError) -> [Int] {
    var numbers: [Int] = []
    for word in value.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = signed(word) else { throw error(name, value) }
      numbers.append(number)
    }
    return numbers
  }

  private static func day(_ word: Substring) throws(RecurrenceError) -> RecurrenceRule.Day {
    guard let weekday = Weekday(code: word.suffix(2)) else { throw error("BYDAY", word) }
    let ordinal = word.dropLast(2)
    if ordinal.isEmpty { return RecurrenceRule.Day(weekday) }
    guard let number = signed(ordinal) else { throw error("BYDAY", word) }
    return RecurrenceRule.Day(weekday, ordinal: number)
  }

  private static func signed(_ word: Substring) -> Int? {
    let isSigned = word.first == "-" || word.first == "+"
    return CalendarTime.number(isSigned ? word.dropFirst() : word)
      .map { word.first == "-" ? -$0 : $0 }
  }
}
