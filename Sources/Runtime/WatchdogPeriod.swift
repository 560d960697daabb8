import Core

/// What systemd asks of a service by WATCHDOG_USEC and WATCHDOG_PID (sd_watchdog_enabled(3)).
enum WatchdogPeriod: Equatable {
  /// No watchdog, or another process's.
  case none
  /// A sign of life is expected within this time.
  case limit(Seconds)
  /// The variables make no sense; what is wrong with them.
  case unusable(String)

  /// A service that had to give more signs than these would do nothing else.
  static let minLimit = 10_000  // µs
  /// Whatever is longer is as good as never.
  static let maxLimit = 1_000_000_000_000_000  // µs

  static func read(microseconds: String?, process: String?, own: Int32) -> WatchdogPeriod {
    guard let microseconds else { return .none }
    if let process {
      guard let number = Int32(process), number > 0 else {
        return .unusable("WATCHDOG_PID is \"\(process.prefix(40))\", which is no process")
      }
      if number != own { return .none }
    }
    guard let limit = Int(microseconds), (minLimit...maxLimit).contains(limit) else {
      return .unusable(
        "WATCHDOG_USEC is \"\(microseconds.prefix(40))\", which is no number of microseconds from "
          + "\(minLimit) to \(maxLimit)")
    }
    return .limit(Seconds(Double(limit) / 1e6))
  }
}
