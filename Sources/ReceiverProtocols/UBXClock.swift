import Quantities

/// A moment of UTC as UBX tells it.
struct UBXClock {
  var year: Int
  var month: Int
  var day: Int
  /// Nanoseconds of the day, or absent. Rounded to the millisecond, as gpsd does: what is below
  /// is the steering of the receiver's clock and not the epoch.
  var timeOfDay: Int64
  /// Whether the fields name the moment's next day, because they are rounded up and the fraction
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
