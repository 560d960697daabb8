import CSystemd
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The real board's clock, CLOCK_BOOTTIME: counts also while the board sleeps, never jumps.
public enum BootClock {
  public static var now: BootInstant {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return BootInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
