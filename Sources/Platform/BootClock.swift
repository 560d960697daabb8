import Glibc
import Core

/// The boot clock, CLOCK_BOOTTIME: it also runs while the board is suspended, and never jumps.
///
/// The daemon waits in its event loop. The waits here are for commands without an event loop, and
/// for hardware delays of milliseconds.
public enum BootClock {
  public static var now: BootInstant { BootInstant(nanoseconds: nanoseconds(CLOCK_BOOTTIME)) }

  /// The system's date, correct or not, limited to the range that can be written.
  public static var systemDate: UTCInstant {
    let date = UTCInstant(nanoseconds: nanoseconds(CLOCK_REALTIME))
    return min(max(date, CivilTime.moments.lowerBound), CivilTime.moments.upperBound)
  }

  /// Required by sd_notify's RELOADING=1 (systemd.service(5), Type=notify-reload).
  public static var monotonicMicroseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) / 1000 }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    // The kernel's range exceeds 64 bits of nanoseconds.
    let (seconds, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflows else { return time.tv_sec < 0 ? .min : .max }
    let (sum, isBeyond) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return isBeyond ? .max : sum
  }

  /// Waits until the deadline. Signals that have a handler do not end the wait.
  ///
  /// - Parameter isCancelled: called after each signal; true ends the wait early.
  public static func wait(
    until deadline: BootInstant, unless isCancelled: () -> Bool = { false }
  ) {
    let nanoseconds = max(0, deadline.nanoseconds)
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    while clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, nil) == EINTR {
      if isCancelled() { return }
    }
  }

  /// Waits until the descriptor is ready, has hung up or has failed, or until the deadline. Checks
  /// once if the deadline has already passed.
  ///
  /// The kernel does not count suspend time here: after a suspend, the wait ends later than the
  /// deadline.
  ///
  /// - Parameters:
  ///   - descriptor: nil: wait for the deadline only.
  ///   - writes: whether room for output also counts as ready.
  /// - Returns: whether the descriptor is ready.
  public static func wait(
    for descriptor: Int32?, writes: Bool = false, until deadline: BootInstant
  ) -> Bool {
    guard let descriptor, descriptor >= 0 else {
      wait(until: deadline)
      return false
    }
    let events = Int16(POLLIN) | (writes ? Int16(POLLOUT) : 0)
    var entries = [pollfd(fd: descriptor, events: events, revents: 0)]
    return wait(forAny: &entries, until: deadline)
  }

  /// The same for several descriptors, each with its events (poll(2)).
  ///
  /// - Parameter entries: ready ones have their `revents` set afterwards.
  /// - Returns: whether any is ready.
  public static func wait(forAny entries: inout [pollfd], until deadline: BootInstant) -> Bool {
    while true {
      let milliseconds = (max(0, (deadline - now).value) * 1000).rounded(.up)
      let ready = poll(
        &entries, nfds_t(entries.count), Int32(min(milliseconds, Double(Int32.max))))
      // An interruption is the only error of poll(2) that is not the caller's fault.
      if ready > 0 || ready < 0 && errno != EINTR { return ready > 0 }
      if ready == 0 && now >= deadline { return false }
    }
  }
}
