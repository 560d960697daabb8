import Core
import GNSS
import Records

/// Which fixes to accept.
public struct GateSettings: Hashable, SettingGroup {
  public var minMode = FixMode.twoD
  public var maxError: Metres = 1000
  public var rangeError: Metres = 5
  public var assumedError: Metres = 10
  public var minSatellites = 3
  public var maxSpeed: MetresPerSecond = 340
  public var maxAcceleration: MetresPerSecondSquared = 15
  /// A receiver that receives the leap seconds steps by 18 s, and bytes wait in buffers for some
  /// seconds.
  public var maxTimeJump: Seconds = 60
  public var fixesToRecover = 5
  public var settledError: Metres = 20
  public var settlingFixes = 3
  /// A short burst must yield a location.
  public var settlingTime: Seconds = 5
  public var fixesUntilFrozen = 5

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "gate", counts: .atReload,
      "Which fixes are believed. The defaults suit people and things on foot, wheels and rails.")
    setting(
      "min_mode", &minMode, .integer(oneOf: [.twoD, .threeD]),
      "2 believes fixes without altitude, 3 does not.")
    setting(
      "max_error_m", &maxError, .quantity(1...100_000),
      "The largest estimated horizontal error that is believed.")
    setting(
      "range_error_m", &rangeError, .quantity(0.1...100),
      "User-equivalent range error: times HDOP it is used as the error of a receiver that "
        + "does not estimate it. 5 m is usual for single-frequency GPS.")
    setting(
      "assumed_error_m", &assumedError, .quantity(0.1...1000),
      "The error where the receiver tells neither an estimate nor a HDOP.")
    setting(
      "min_satellites", &minSatellites, .integer(0...20),
      "With fewer satellites the position relies on assumed values. A receiver that does not "
        + "tell their number is not judged by it.")
    setting(
      "max_speed_mps", &maxSpeed, .quantity(1...10_000),
      "Largest speed accepted between two fixes. An airliner in a jet stream makes 330 m/s.")
    setting(
      "max_acceleration_mps2", &maxAcceleration, .quantity(0.1...1000),
      "Largest acceleration accepted between two fixes. Emergency braking is 10 m/s², "
        + "noise adds to it.")
    setting(
      "max_time_jump_s", &maxTimeJump, .quantity(1...86_400),
      "Between two fixes the receiver's time passes like the board's clock, within this.")
    setting(
      "fixes_to_recover", &fixesToRecover, .integer(1...1000),
      "So many consistent fixes elsewhere overrule the one that they contradict.")
    setting(
      "settled_error_m", &settledError, .quantity(0.1...10_000),
      "After power-on, fixes with a larger error are not believed while it still falls.")
    setting(
      "settling_fixes", &settlingFixes, .integer(0...1000),
      "At most so many first fixes are held back for that.")
    setting(
      "settling_time_s", &settlingTime, .quantity(0...3600),
      "And for no longer than this.")
    setting(
      "fixes_until_frozen", &fixesUntilFrozen, .integer(2...10_000),
      "So many identical positions with a measured speed are a frozen receiver.")
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
