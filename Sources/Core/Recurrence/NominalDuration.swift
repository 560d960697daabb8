/// How long something lasts, iCalendar's DURATION (RFC 5545 section 3.3.6): days are days of the
/// calendar, 23 or 25 hours long where clocks change; seconds are seconds.
public struct NominalDuration: Hashable, Sendable {
  /// From 0.
  public let days: Int
  /// From 0; may be more than a day.
  public let seconds: Int

  /// Days; in all.
  public static let maximum = 36_500

  public static let zero = NominalDuration()

  private init() {
    days = 0
    seconds = 0
  }

  /// Throws where a number is negative, or where it is more than `maximum` in all.
  public init(days: Int = 0, seconds: Int = 0) throws(RecurrenceError) {
    let limit = Self.maximum
    guard (0...limit).contains(days), seconds >= 0, seconds <= (limit - days) * 86_400 else {
      throw .badDuration
    }
    self.days = days
    self.seconds = seconds
  }

  /// Reads `P1W`, `P1D`, `PT8H`, `P1DT8H30M`, `PT90S`; a sign is refused when it is negative.
  public init(parsing text: String) throws(RecurrenceError) {
    let malformed = RecurrenceError.malformed("DURATION:\(text.prefix(40))")
    var rest = Substring(text.uppercased())
    if rest.first == "-" { throw .badDuration }
    if rest.first == "+" { rest.removeFirst() }
    guard rest.popFirst() == "P", !rest.isEmpty else { throw malformed }
    var days = 0
    var seconds = 0
    // Each unit at most once, and in this order; hours, minutes and seconds after the T.
    var units = Substring("WDTHMS")
    while !rest.isEmpty {
      if rest.first == "T" {
        rest.removeFirst()
        guard let place = units.firstIndex(of: "T"), !rest.isEmpty else { throw malformed }
        units = units[units.index(after: place)...]
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest[digits.endIndex...]
      guard let number = CalendarTime.number(digits), let unit = rest.popFirst(),
        let place = units.firstIndex(of: unit), !units[..<place].contains("T")
      else { throw malformed }
      units = units[units.index(after: place)...]
      switch unit {
      case "W":
        days = number * 7
        // RFC 5545: weeks stand alone.
        units = ""
      case "D":
        days = number
      case "H": seconds += number * 3600
      case "M": seconds += number * 60
      default: seconds += number
      }
    }
    try self.init(days: days, seconds: seconds)
  }

  /// As DURATION has it: `P1DT8H`.
  public var text: String {
    var clock = ""
    if seconds >= 3600 { clock += "\(seconds / 3600)H" }
    if seconds / 60 % 60 > 0 { clock += "\(seconds / 60 % 60)M" }
    if seconds % 60 > 0 { clock += "\(seconds % 60)S" }
    if days == 0, clock.isEmpty { return "PT0S" }
    return "P" + (days > 0 ? "\(days)D" : "") + (clock.isEmpty ? "" : "T\(clock)")
  }
}
