import Quantities

/// GPS time counts weeks from 1980-01-06 and no leap seconds (IS-GPS-200, 20.3.3.5.2.4).
enum GPSTime {
  private static let epoch: Int64 = 315_964_800
  private static let week: Int64 = 604_800

  /// Whole seconds by which GPS time is ahead of UTC from the given Unix day on (IERS Bulletin C);
  /// for receivers that have not yet heard it from the satellites.
  private static let leaps: [(day: Int64, seconds: Int64)] = [
    (17_167, 18), (16_617, 17), (15_522, 16), (14_245, 15), (13_149, 14), (10_592, 13),
  ]

  /// Days since 1970 and nanoseconds of the day, UTC. `leap` as the receiver tells it, or nil.
  static func utc(week number: Int64, nanosecondsOfWeek: Int64, leap: Int64?)
    -> (day: Int, timeOfDay: Int64)
  {
    let start = epoch + number * week
    let day = (start + nanosecondsOfWeek / 1_000_000_000) / 86_400
    let offset = leap ?? leaps.first { day >= $0.day }?.seconds ?? 0
    let seconds = start - offset
    let nanoseconds = nanosecondsOfWeek
    let total = seconds + nanoseconds / 1_000_000_000
    let dayOfTotal = total >= 0 ? total / 86_400 : -1
    return (
      Int(dayOfTotal),
      (total - dayOfTotal * 86_400) * 1_000_000_000 + nanoseconds % 1_000_000_000
    )
  }
}
