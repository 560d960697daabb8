import Core

/// GPS time counts weeks from 1980-01-06, without leap seconds (IS-GPS-200, 20.3.3.5.2.4).
enum GPSTime {
  private static let epoch: Int64 = 315_964_800
  private static let week: Int64 = 604_800

  /// Plausible weeks: until 2171.
  static let weeks: Range<Int64> = 1..<10_000
  /// The fraction of the time of week may be negative.
  static let nanosecondsOfWeek: Range<Int64> = -500_000_000..<604_801_000_000_000

  /// The whole seconds by which GPS time is ahead of UTC from the given Unix day on (IERS Bulletin
  /// C), for receivers that have not yet received it from the satellites.
  private static let leaps: [(day: Int64, seconds: Int64)] = [
    (17_167, 18), (16_617, 17), (15_522, 16), (14_245, 15), (13_149, 14), (10_592, 13),
  ]

  /// Days since 1970 and nanoseconds of the day, UTC, for a week and time of week in the ranges
  /// above. `leap` is the receiver's value, or nil.
  static func utc(week number: Int64, nanosecondsOfWeek: Int64, leap: Int64?)
    -> (day: Int, timeOfDay: Int64)
  {
    let start = epoch + number * week
    let known = leaps.first { start >= $0.day * 86_400 }?.seconds ?? 0
    let perDay: Int64 = 86_400_000_000_000
    let total = (start - (leap ?? known)) * 1_000_000_000 + nanosecondsOfWeek
    return (Int(total / perDay), total % perDay)
  }

  /// The week and time of week of a UTC moment from 1980 on, with the leap seconds in the table;
  /// nil before.
  static func week(of instant: UTCInstant) -> (number: Int64, nanoseconds: Int64)? {
    let (second, nanosecond) = instant.nanoseconds.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    let leap = leaps.first { second >= $0.day * 86_400 }?.seconds ?? 0
    let total = second - epoch + leap
    guard total >= week, nanosecond >= 0 else { return nil }
    return (total / week, total % week * 1_000_000_000 + nanosecond)
  }
}

/// A moment of UTC in a UBX message.
struct UBXClock {
  var year: Int
  var month: Int
  var day: Int
  /// Nanoseconds of the day, or absent. Rounded to the millisecond, as in gpsd: the rest is the
  /// steering of the receiver's clock and not the epoch.
  var timeOfDay: Int64
  /// Whether the fields name the day after the moment, because they are rounded up and the fraction
  /// is negative.
  var isDayBefore = false

  /// From the fields at `offset`: year, month, day, hour, minute, second.
  init(_ message: UBXMessage, at offset: Int, nanosecond: Int32, isKnown: Bool) {
    year = Int(message.u16(offset))
    month = Int(message.u8(offset + 2))
    day = Int(message.u8(offset + 3))
    let hour = Int64(message.u8(offset + 4))
    let minute = Int64(message.u8(offset + 5))
    let second = Int64(message.u8(offset + 6))
    timeOfDay = Epoch.absent
    guard isKnown, hour < 24, minute < 60, second <= 60 else { return }
    let time = ((hour * 60 + minute) * 60 + second) * 1_000_000_000 + Int64(nanosecond)
    let rounded = UBXClock.rounded(time)
    isDayBefore = rounded < 0
    timeOfDay = isDayBefore ? rounded + 86_400_000_000_000 : rounded
  }

  /// From days since 1970.
  init(day number: Int, timeOfDay: Int64) {
    let civil = CivilTime(UTCInstant(nanoseconds: Int64(number) * 86_400_000_000_000))
    year = civil.year
    month = civil.month
    day = civil.day
    self.timeOfDay = timeOfDay
  }

  static func rounded(_ nanoseconds: Int64) -> Int64 {
    let half: Int64 = nanoseconds < 0 ? -500_000 : 500_000
    return (nanoseconds + half) / 1_000_000 * 1_000_000
  }
}
