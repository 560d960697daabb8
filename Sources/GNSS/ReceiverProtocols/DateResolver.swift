import Core

/// Determines the date of an epoch: from sentences with a date, and across midnight when only the
/// time of day continues. Receivers count weeks in ten bits, so that an old receiver's date may be
/// 1024 or 2048 weeks early.
struct DateResolver {
  private static let nanosecondsPerDay: Int64 = 86_400_000_000_000
  private static let rollover = 1024 * 7
  /// No receiver was for sale in the first year of GPS time, but a receiver without a date reports
  /// the beginning of it.
  private static let firstDay = CivilTime.daysSinceEpoch(year: 1981, month: 1, day: 1)

  /// Whether the earliest possible date is configured.
  private let hasFloor: Bool
  private let earliestDay: Int
  /// The last dated moment, and when it was received.
  private var known: (instant: UTCInstant, received: BootInstant)?

  init(earliest: UTCInstant?) {
    hasFloor = earliest != nil
    earliestDay = earliest.map(Self.day(of:)) ?? Self.firstDay
  }

  /// Days since 1970 of a receiver's date, corrected for week rollovers; nil, and counted, if there
  /// is no such day.
  func day(
    year: Int, month: Int, day: Int, counters: inout DecoderCounters
  ) -> Int? {
    // GPS time begins in 1980: two-digit years are 1980 to 2079.
    let full = year >= 100 ? year : year + (year >= 80 ? 1900 : 2000)
    guard full >= 1980, full < 2200, (1...12).contains(month), day >= 1,
      day <= CivilTime.days(inMonth: month, of: full)
    else {
      counters.impossibleDates += 1
      return nil
    }
    let stated = CivilTime.daysSinceEpoch(year: full, month: month, day: day)
    if stated >= earliestDay { return stated }
    for candidate in [stated + Self.rollover, stated + 2 * Self.rollover]
    where hasFloor && candidate >= earliestDay {
      counters.weekRolloversCorrected += 1
      return candidate
    }
    counters.impossibleDates += 1
    return nil
  }

  /// A dated moment, corrected for week rollovers; nil, and counted, if there is no such day.
  func corrected(_ stated: UTCInstant, counters: inout DecoderCounters) -> UTCInstant? {
    let civil = CivilTime(stated)
    return day(year: civil.year, month: civil.month, day: civil.day, counters: &counters).map {
      let shift = Int64($0 - Self.day(of: stated)) * Self.nanosecondsPerDay
      return UTCInstant(nanoseconds: stated.nanoseconds + shift)
    }
  }

  /// Days since 1970.
  private static func day(of instant: UTCInstant) -> Int {
    let civil = CivilTime(instant)
    return CivilTime.daysSinceEpoch(year: civil.year, month: civil.month, day: civil.day)
  }

  /// The moment of an epoch with this time of day; `told` is the date in its own sentences. Without
  /// one, it is the day that fits best to the time since the last known moment, because midnight
  /// may also pass while the receiver is off. Nil before any date is known.
  mutating func instant(timeOfDay time: Int64, stated: Int?, received: BootInstant) -> UTCInstant? {
    guard time >= 0 else { return nil }
    let day: Int64
    if let stated {
      day = Int64(stated)
    } else if let known {
      let expected = known.instant + (received - known.received)
      let half = Self.nanosecondsPerDay / 2
      day = (expected.nanoseconds - time + half) / Self.nanosecondsPerDay
    } else {
      return nil
    }
    let instant = UTCInstant(nanoseconds: day * Self.nanosecondsPerDay + time)
    known = (instant, received)
    return instant
  }
}
