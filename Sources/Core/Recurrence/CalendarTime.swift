/// A date, or a date with time, in iCalendar's form (RFC 5545 sections 3.3.4 and 3.3.5):
/// `20260501`, `20260501T080000`, `20260501T060000Z`.
enum CalendarTime {
  case date(CivilTime)
  /// Forms #1 and #3: the zone is given elsewhere.
  case local(CivilTime)
  /// Form #2.
  case utc(UTCInstant)

  /// Nil for anything else, and for dates that do not exist.
  init?(_ text: some StringProtocol) {
    var rest = Substring(text)
    guard let year = Self.number(&rest, digits: 4), let month = Self.number(&rest, digits: 2),
      let day = Self.number(&rest, digits: 2)
    else { return nil }
    var civil = CivilTime(year: year, month: month, day: day)
    guard civil.isValid else { return nil }
    if rest.isEmpty {
      self = .date(civil)
      return
    }
    guard rest.removeFirst().uppercased() == "T", let hour = Self.number(&rest, digits: 2),
      let minute = Self.number(&rest, digits: 2), let second = Self.number(&rest, digits: 2)
    else { return nil }
    civil.hour = hour
    civil.minute = minute
    civil.second = second
    guard let instant = civil.instant, CivilTime.moments.contains(instant) else { return nil }
    if rest.isEmpty {
      // A leap second becomes the following second, as everywhere.
      self = .local(CivilTime(instant))
    } else if rest == "Z" || rest == "z" {
      self = .utc(instant)
    } else {
      return nil
    }
  }

  /// Digits only; `Int` would also accept a sign.
  private static func number(_ text: inout Substring, digits: Int) -> Int? {
    let head = text.prefix(digits)
    guard let number = Self.number(head), head.utf8.count == digits else { return nil }
    text = text.dropFirst(digits)
    return number
  }

  /// One to nine digits.
  static func number(_ text: some StringProtocol) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ $0 &- 48 <= 9 }) else {
      return nil
    }
    return Int(text)
  }

  static func date(_ civil: CivilTime) -> String {
    digits(civil.year, 4) + digits(civil.month, 2) + digits(civil.day, 2)
  }

  static func text(_ civil: CivilTime) -> String {
    "\(date(civil))T" + digits(civil.hour, 2) + digits(civil.minute, 2) + digits(civil.second, 2)
  }

  static func text(_ instant: UTCInstant) -> String { "\(text(CivilTime(instant)))Z" }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
