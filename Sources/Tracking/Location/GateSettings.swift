import Core
import GNSS
import Records

/// Which fixes to accept.
public struct GateSettings: Hashable, SettingGroup {
  var minMode = FixMode.twoD
  var maxError: Metres = 1000
  var rangeError: Metres = 5
  var assumedError: Metres = 10
  var minSatellites = 3
  var maxSpeed: MetresPerSecond = 340
  var maxAcceleration: MetresPerSecondSquared = 15
  /// A receiver that receives the leap seconds steps by 18 s, and bytes wait in buffers for some
  /// seconds.
  var maxTimeJump: Seconds = 60
  var fixesToRecover = 5
  var settledError: Metres = 20
  var settlingFixes = 3
  /// A short burst must yield a location.
  var settlingTime: Seconds = 5
  var fixesUntilFrozen = 5

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "gate", counts: .atReload,
      "Acceptance of fixes. The defaults suit people and things on foot, wheels and rails.")
    setting(
      "min_mode", &minMode, .integer(oneOf: [.twoD, .threeD]),
      "Minimum fix mode. 2 accepts fixes without altitude, 3 rejects them.")
    setting(
      "max_error_m", &maxError, .quantity(1...100_000),
      "Maximum estimated horizontal error.")
    setting(
      "range_error_m", &rangeError, .quantity(0.1...100),
      "User-equivalent range error: multiplied by HDOP, the error of a receiver that does not "
        + "estimate it. 5 m is usual for single-frequency GPS.")
    setting(
      "assumed_error_m", &assumedError, .quantity(0.1...1000),
      "Error if the receiver reports neither an estimate nor an HDOP.")
    setting(
      "min_satellites", &minSatellites, .integer(0...20),
      "Minimum number of satellites; with fewer, a position relies on assumed values. Ignored for "
        + "a receiver that does not report the number.")
    setting(
      "max_speed_mps", &maxSpeed, .quantity(1...10_000),
      "Maximum speed between two fixes. An airliner in a jet stream reaches 330 m/s.")
    setting(
      "max_acceleration_mps2", &maxAcceleration, .quantity(0.1...1000),
      "Maximum acceleration between two fixes. Emergency braking is 10 m/s²; noise adds to it.")
    setting(
      "max_time_jump_s", &maxTimeJump, .quantity(1...86_400),
      "Maximum deviation of the receiver's time from the board's clock between two fixes.")
    setting(
      "fixes_to_recover", &fixesToRecover, .integer(1...1000),
      "Number of consistent fixes elsewhere that overrule the fix that they contradict.")
    setting(
      "settled_error_m", &settledError, .quantity(0.1...10_000),
      "Error above which fixes after power-on are rejected while the error still decreases.")
    setting(
      "settling_fixes", &settlingFixes, .integer(0...1000),
      "Maximum number of fixes that are rejected for that reason.")
    setting(
      "settling_time_s", &settlingTime, .quantity(0...3600),
      "Maximum time after power-on in which fixes are rejected for that reason.")
    setting(
      "fixes_until_frozen", &fixesUntilFrozen, .integer(2...10_000),
      "Number of identical positions with a measured speed that indicate a frozen receiver.")
  }
}

/// Why a fix was rejected. The words are stable: they are counted, stored and reported.
public enum RejectionReason: String, Hashable, Sendable, CaseIterable {
  case noFix = "no-fix"
  case noTime = "no-time"
  /// Another source contradicts its date, see `UTCClock`.
  case implausibleDate = "implausible-date"
  case nullIsland = "null-island"
  case fewSatellites = "few-satellites"
  case largeError = "large-error"
  case settling
  case duplicate
  case timeBackwards = "time-backwards"
  case timeJump = "time-jump"
  case frozen
  case impliedSpeed = "implied-speed"
  case impliedAcceleration = "implied-acceleration"

  var isOfDate: Bool { self == .timeBackwards || self == .timeJump }
}

public enum GateDecision: Hashable, Sendable {
  /// - Parameter dateShift: the difference to the date expected from earlier fixes, when the date
  ///   has changed; nil while it continues.
  case accepted(Location, dateShift: Seconds?)
  case rejected(RejectionReason)
}
