import Core

/// What systemd expects of a service by WATCHDOG_USEC and WATCHDOG_PID (sd_watchdog_enabled(3)).
enum WatchdogPeriod: Equatable {
  /// No watchdog, or one for another process.
  case none
  /// A signal is expected within this time.
  case limit(Seconds)
  /// The variables are invalid, with the reason.
  case unusable(String)

  /// Below this, a service would be busy with signals alone.
  static let minLimit = 10_000  // µs
  /// Anything longer is practically never.
  static let maxLimit = 1_000_000_000_000_000  // µs

  static func read(microseconds: String?, process: String?, own: Int32) -> WatchdogPeriod {
    guard let microseconds else { return .none }
    if let process {
      guard let number = Int32(process), number > 0 else {
        return .unusable("WATCHDOG_PID is \"\(process.prefix(40))\", which is not a process")
      }
      if number != own { return .none }
    }
    guard let limit = Int(microseconds), (minLimit...maxLimit).contains(limit) else {
      return .unusable(
        "WATCHDOG_USEC is \"\(microseconds.prefix(40))\", which is not a number of microseconds "
          + "from \(minLimit) to \(maxLimit)")
    }
    return .limit(Seconds(Double(limit) / 1e6))
  }
}
