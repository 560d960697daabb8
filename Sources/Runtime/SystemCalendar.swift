import Core
import Platform
import Tracking

/// The system's date.
public enum SystemCalendar {
  /// The longest plausible use of a program version.
  private static let lifetime = Seconds.days(40 * 365.25)

  /// Nil if it is implausible: before `floor`, as on a board without a real-time clock, which boots
  /// in 1970, or long after it, as after the loss of the clock's battery.
  public static func date(notBefore floor: UTCInstant) -> SystemDate? {
    let date = BootClock.systemDate
    guard isPossible(date, notBefore: floor) else { return nil }
    return SystemDate(
      date: date, read: BootClock.now, isSynchronized: ClockKeeping.query() == .synchronized)
  }

  static func isPossible(_ date: UTCInstant, notBefore floor: UTCInstant) -> Bool {
    date >= floor && date - floor <= lifetime
  }

  /// Why the date corroborates less than it could; nil if there is no reason.
  public static func warning(notBefore floor: UTCInstant) -> String? {
    let date = BootClock.systemDate
    guard date - floor <= lifetime else {
      return
        "the system's clock shows \(ISO8601.text(date, digits: 0)), which is impossible, so it is "
        + "ignored: set it (timedatectl), or check the battery of the real-time clock"
    }
    return ClockKeeping.query().warning
  }
}
