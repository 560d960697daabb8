import Quantities

/// GPS time counts weeks from 1980-01-06 and no leap seconds (IS-GPS-200, 20.3.3.5.2.4).
enum GPSTime {
  private static let epoch: Int64 = 315_964_800
  private static let week: Int64 = 604_800

  /// Weeks that can be: until 2171.
  static let weeks: Range<Int64> = 1..<10_000
  /// The remainder of the time of week may be negative.
  static let nanosecondsOfWeek: Range<Int64> = -500_000_000..<604_801_000_000_000

  /// Whole seconds by which GPS time is ahead of UTC from the given Unix day on (IERS Bulletin C),
  /// for receivers that have not yet heard it from the satellites.
  private static let leaps: [(day: Int64, seconds: Int64)] = [
    (17_167, 18), (16_617, 17), (15_522, 16), (14_245, 15), (13_149, 14), (10_592, 13),
  ]

  /// Days since 1970 and nanoseconds of the day, UTC, for a week and time of week in the ranges
  /// above. `leap` as the receiver tells it, or nil.
  static func utc(week number: Int64, nanosecondsOfWeek: Int64, leap: Int64?)
    -> (day: Int, timeOfDay: Int64)
  {
    let start = epoch + number * week
    let known = leaps.first { start >= $0.day * 86_400 }?.seconds ?? 0
    let perDay: Int64 = 86_400_000_000_000
    let total = (start - (leap ?? known)) * 1_000_000_000 + nanosecondsOfWeek
    return (Int(total / perDay), total % perDay)
  }
  /// The week and the time of week of a moment of UTC from 1980 on, with the leap seconds that are
  /// known here; nil before.
  static func week(of instant: UTCInstant) -> (number: Int64, nanoseconds: Int64)? {
    let (second, nanosecond) = instant.nanoseconds.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    let leap = leaps.first { second >= $0.day * 86_400 }?.seconds ?? 0
    let total = second - epoch + leap
    guard total >= week, nanosecond >= 0 else { return nil }
    return (total / week, total % week * 1_000_000_000 + nanosecond)
  }
}
