import CLinux
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// Whether something disciplines the system's clock (NTP, PTP, GNSS), as the kernel reports.
enum ClockKeeping: Equatable {
  case synchronized, free
  /// The kernel refuses to report it, with this error.
  case unavailable(Int32)

  /// adjtimex(2): reading (no modes) needs no privilege. Only a system call filter of a unit or a
  /// container denies it.
  ///
  /// - Parameter kernel: fills in the state; another one in tests.
  static func query(_ kernel: (inout timex) -> Int32 = { adjtimex(&$0) }) -> ClockKeeping {
    var state = timex()
    let result = kernel(&state)
    guard result >= 0 else { return .unavailable(errno) }
    return result != TIME_ERROR && state.status & STA_UNSYNC == 0 ? .synchronized : .free
  }

  var warning: String? {
    guard case .unavailable(let code) = self else { return nil }
    return "the kernel does not report whether the system's clock is synchronised (adjtimex: "
      + "\(SystemError(code: code).text)), so the clock counts as not synchronised; allow "
      + "adjtimex and clock_adjtime in SystemCallFilter= of the unit, without ProtectClock=, or in "
      + "the container"
  }
}
