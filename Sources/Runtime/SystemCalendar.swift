import Quantities
import Tracking

#if canImport(Glibc)
  import Glibc
#endif

/// The system's date, and which run of the system this is.
public enum SystemCalendar {
  /// Nil before `floor`: a board without a real-time clock boots in 1970.
  public static func date(notBefore floor: UTCInstant) -> SystemDate? {
    let date = BootClock.systemDate
    guard date >= floor else { return nil }
    return SystemDate(
      date: date, read: BootClock.now, isSynchronized: ClockKeeping.ask() == .synchronized)
  }

  /// Why the date is less of a witness than it could be; nil when it is not.
  public static var shortcoming: String? { ClockKeeping.ask().shortcoming }

  /// Names this run of the system; nil where the kernel does not tell (random/boot_id, proc(5)).
  public static var boot: String? {
    guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let name = line.prefix { $0 > 32 }.map { UInt8(bitPattern: $0) }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }
}
