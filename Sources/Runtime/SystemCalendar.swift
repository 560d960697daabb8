import Platform
import Quantities
import Tracking

/// The system's date.
public enum SystemCalendar {
  /// Nil before `floor`: a board without a real-time clock boots in 1970.
  public static func date(notBefore floor: UTCInstant) -> SystemDate? {
    let date = BootClock.systemDate
    guard date >= floor else { return nil }
    return SystemDate(
      date: date, read: BootClock.now, isSynchronized: ClockKeeping.ask() == .synchronized)
  }

  /// Why the date is less of a witness than it could be; nil when it is not.
  public static var warning: String? { ClockKeeping.ask().warning }
}
