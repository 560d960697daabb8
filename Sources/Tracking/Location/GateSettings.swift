import Quantities
import ReceiverProtocols
import Records
import SettingDeclarations

/// Which fixes to believe.
public struct GateSettings: Hashable, SettingGroup {
  public var leastMode = FixMode.twoD
  public var largestError: Metres = 1000
  public var rangeError: Metres = 5
  public var assumedError: Metres = 10
  public var leastSatellites = 3
  public var highestSpeed: MetresPerSecond = 340
  public var highestAcceleration: MetresPerSecondSquared = 15
  /// A receiver that learns of the leap seconds steps by 18 s, and bytes wait in buffers for some
  /// seconds.
  public var largestTimeJump: Seconds = 60
  public var fixesToRecover = 5
  public var settledError: Metres = 20
  public var settlingFixes = 3
  /// A short burst must yield a location.
  public var settlingTime: Seconds = 5
  public var fixesUntilFrozen = 5

  public init() {}

  public static let section = SettingSection<Self>(
    "gate", "Which fixes are believed. The defaults suit carriers on foot, wheels and rails.",
    [
      Setting(
        "least_mode", \.leastMode, .integer(oneOf: [.twoD, .threeD]),
        "2 believes fixes without altitude, 3 does not."),
      Setting(
        "largest_error_m", \.largestError, .quantity(1...100_000),
        "The largest estimated horizontal error that is believed."),
      Setting(
        "range_error_m", \.rangeError, .quantity(0.1...100),
        "User-equivalent range error: times HDOP it stands in for the error of a receiver that "
          + "does not estimate it. 5 m is usual for single-frequency GPS."),
      Setting(
        "assumed_error_m", \.assumedError, .quantity(0.1...1000),
        "The error where the receiver tells neither an estimate nor a HDOP."),
      Setting(
        "least_satellites", \.leastSatellites, .integer(0...20),
        "A fix from fewer satellites is held up by assumptions. A receiver that does not tell "
          + "their number is not judged by it."),
      Setting(
        "highest_speed_mps", \.highestSpeed, .quantity(1...10_000),
        "No carrier is faster between two fixes. An airliner in a jet stream makes 330 m/s."),
      Setting(
        "highest_acceleration_mps2", \.highestAcceleration, .quantity(0.1...1000),
        "No carrier changes its speed faster. Emergency braking is 10 m/s², noise adds to it."),
      Setting(
        "largest_time_jump_s", \.largestTimeJump, .quantity(1...86_400),
        "Between two fixes the receiver's time passes like the board's clock, within this."),
      Setting(
        "fixes_to_recover", \.fixesToRecover, .integer(1...1000),
        "So many consistent fixes elsewhere overrule the one that they contradict."),
      Setting(
        "settled_error_m", \.settledError, .quantity(0.1...10_000),
        "After power-on, fixes with a larger error are not believed while it still falls."),
      Setting(
        "settling_fixes", \.settlingFixes, .integer(0...1000),
        "At most so many first fixes are held back for that."),
      Setting(
        "settling_time_s", \.settlingTime, .quantity(0...3600),
        "And for no longer than this."),
      Setting(
        "fixes_until_frozen", \.fixesUntilFrozen, .integer(2...10_000),
        "So many identical places with a measured speed are a frozen receiver."),
    ])
}

/// Why a fix was not believed. The words are stable: they are counted, stored and reported.
public enum RejectionReason: String, Hashable, Sendable, CaseIterable {
  case noFix = "no-fix"
  case noTime = "no-time"
  /// A witness contradicts its date, see `CivilClock`.
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

public enum GateVerdict: Hashable, Sendable {
  /// - Parameter dateShift: by how much the date differs from what the fixes before had led to,
  ///   when it has been found to be another; nil while it goes on.
  case accepted(Sighting, dateShift: Seconds?)
  case rejected(RejectionReason)
}
