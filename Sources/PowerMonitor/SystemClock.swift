import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The board's clock, which also counts while it sleeps.
enum SystemClock {
  static var now: BootInstant {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return BootInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Of some milliseconds, for a chip's first conversion.
  static func wait(_ time: Seconds) {
    let nanoseconds = Int(max(0, min(time.value, 0.5)) * 1e9)
    var wanted = timespec(tv_sec: 0, tv_nsec: nanoseconds)
    var rest = timespec()
    while nanosleep(&wanted, &rest) != 0, errno == EINTR { wanted = rest }
  }

  static func middle(_ a: BootInstant, _ b: BootInstant) -> BootInstant { a + (b - a) * 0.5 }

  static func message(_ code: Int32) -> String { String(cString: strerror(code)) }
}
