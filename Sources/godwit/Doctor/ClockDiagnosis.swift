import Notation
import Quantities

/// Whether the board's clock is right. Godwit itself takes the time from the receiver.
enum ClockDiagnosis {
  /// - Parameter receiver: how far the clock was behind the receiver's time; nil without a fix.
  static func finding(clock: UTCInstant, receiver lag: Seconds?, floor: UTCInstant) -> Finding {
    let shown = ISO8601.text(clock, digits: 0)
    let advice =
      "Godwit takes its times from the receiver, but other programs do not: switch on NTP "
      + "(timedatectl set-ntp true) or fit a real-time clock"
    if clock < floor {
      return .warn("clock", "shows \(shown), which is long past. \(advice)")
    }
    guard let lag else { return .ok("clock", "says \(shown)") }
    // Serial lines and gpsd deliver an epoch up to a second after its time.
    guard lag.magnitude > 5 else { return .ok("clock", "shows \(shown), like the receiver") }
    let seconds = Int(lag.magnitude.value.rounded())
    return .warn(
      "clock",
      "shows \(shown), \(seconds) s \(lag > 0 ? "behind" : "ahead of") the receiver. \(advice)"
    )
  }
}
