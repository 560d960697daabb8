/// A date and time of day in the proleptic Gregorian calendar, UTC.
///
/// The day arithmetic is the era-based method of Howard Hinnant's "chrono-compatible low-level date
/// algorithms": exact, without tables, for every year in the range of an instant.
public struct CivilTime: Hashable, Sendable {
  public var year: Int
  /// 1...12
  public var month: Int
  /// 1...31
  public var day: Int
  /// 0...23
  public var hour: Int
  /// 0...59
  public var minute: Int
  /// 0...60: 60 is a leap second, which POSIX time folds into the next minute's first second.
  public var second: Int
  /// 0..<1_000_000_000
  public var nanosecond: Int

  public init(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    nanosecond: Int = 0
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.nanosecond = nanosecond
  }

  /// Whether every field is in its range and the day exists in its month.
  public var isValid: Bool {
    (1...12).contains(month) && day >= 1 && day <= Self.days(inMonth: month, of: year)
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
      && (0..<1_000_000_000).contains(nanosecond) && Self.years.contains(year)
  }

  /// The whole years in the range of an instant.
  private static let years = 1678...2261

  /// All instants of those years. Every parsed time is in this range, so that it can be written and
  /// read again.
  public static let moments =
    UTCInstant(
      nanoseconds: -9_214_560_000_000_000_000)...UTCInstant(
      nanoseconds: 9_214_646_399_999_999_999)

  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 to this date.
  public static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension CivilTime {
  public init(_ instant: UTCInstant) {
    let (quotient, remainder) = instant.nanoseconds.quotientAndRemainder(
      dividingBy: 86_400_000_000_000)
    let days = Int(remainder < 0 ? quotient - 1 : quotient)
    let inDay = Int(remainder < 0 ? remainder + 86_400_000_000_000 : remainder)
    let z = days + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shifted + 2) / 5 + 1, hour: inDay / 3_600_000_000_000,
      minute: inDay / 60_000_000_000 % 60, second: inDay / 1_000_000_000 % 60,
      nanosecond: inDay % 1_000_000_000)
  }

  /// The instant, or nil if a field is out of range.
  public var instant: UTCInstant? {
    guard isValid else { return nil }
    let days = Self.daysSinceEpoch(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    return UTCInstant(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanosecond))
  }
}
