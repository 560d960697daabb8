/// A length of time, iCalendar's DURATION (RFC 5545 section 3.3.6). Days are calendar days, 23 or
/// 25 hours long where clocks change; seconds are exact.
public struct NominalDuration: Hashable, Sendable {
  /// 0 or more.
  let days: Int
  /// 0 or more; may exceed a day.
  let seconds: Int

  /// The limit of the whole duration, in days.
  static let maximum = 36_500

  public static let zero = NominalDuration()

  private init() {
    days = 0
    seconds = 0
  }

  /// Throws if a number is negative, or if the whole duration exceeds `maximum`.
  public init(days: Int = 0, seconds: Int = 0) throws(RecurrenceError) {
    let limit = Self.maximum
    guard (0...limit).contains(days), seconds >= 0, seconds <= (limit - days) * 86_400 else {
      throw .badDuration
    }
    self.days = days
    self.seconds = seconds
  }

  /// Reads `P1W`, `P1D`, `PT8H`, `P1DT8H30M`, `PT90S`; a negative duration is rejected.
  public init(parsing text: String) throws(RecurrenceError) {
    let malformed = RecurrenceError.malformed("DURATION:\(text.prefix(40))")
    var rest = Substring(text.uppercased())
    if rest.first == "-" { throw .badDuration }
    if rest.first == "+" { rest.removeFirst() }
    guard rest.popFirst() == "P", !rest.isEmpty else { throw malformed }
    var days = 0
    var seconds = 0
    // Each unit occurs at most once, in this order; hours, minutes and seconds follow the T.
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
        // RFC 5545: weeks are not combined with other units.
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

  /// In DURATION's form: `P1DT8H`.
  public var text: String {
    var clock = ""
    if seconds >= 3600 { clock += "\(seconds / 3600)H" }
    if seconds / 60 % 60 > 0 { clock += "\(seconds / 60 % 60)M" }
    if seconds % 60 > 0 { clock += "\(seconds % 60)S" }
    if days == 0, clock.isEmpty { return "PT0S" }
    return "P" + (days > 0 ? "\(days)D" : "") + (clock.isEmpty ? "" : "T\(clock)")
  }
}
