import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The real board's clock, CLOCK_BOOTTIME: counts also while the board sleeps, never jumps.
public enum BootClock {
  public static var now: BootInstant { BootInstant(nanoseconds: nanoseconds(CLOCK_BOOTTIME)) }

  /// The system's date, right or wrong.
  public static var systemDate: UTCInstant {
    UTCInstant(nanoseconds: nanoseconds(CLOCK_REALTIME))
  }

  /// What sd_notify's RELOADING=1 asks for (systemd.service(5), Type=notify-reload).
  static var monotonicMicroseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) / 1000 }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
