import Notation
import Quantities

/// PAIR sentences of Airoha's AG33xx receivers. Quectel LC29H and LC79H series GNSS protocol
/// specification; LC26G, LC76G, LC86G series GNSS protocol specification.
public enum PAIRCommand {
  /// PAIR020: which firmware?
  public static let queryVersion = NMEACommand.sealed("PAIR020")
  /// PAIR021: which settings and chip? Also said unasked at the start.
  public static let querySettings = NMEACommand.sealed("PAIR021")
  /// PAIR003: the GNSS part off; the processor still answers.
  public static let gnssOff = NMEACommand.sealed("PAIR003")
  /// PAIR002: the GNSS part on again.
  public static let gnssOn = NMEACommand.sealed("PAIR002")

  /// The number of `sleep`.
  static let sleepCommand = 650
  /// PAIR650: clock and backup memory only. It hears nothing until the time is over or its wake
  /// line changes.
  ///
  /// - Parameter duration: limited to 10 s...720 days; nil sleeps until woken.
  public static func sleep(for duration: Seconds?) -> [UInt8] {
    let seconds = SleepMethod.pairSleep.clamped(duration).map { Int($0.value.rounded()) } ?? 0
    return NMEACommand.sealed("PAIR\(sleepCommand),\(seconds)")
  }

  /// PAIR004, 005, 006.
  public static func restart(_ kind: RestartKind) -> [UInt8] {
    switch kind {
    case .hot: NMEACommand.sealed("PAIR004")
    case .warm: NMEACommand.sealed("PAIR005")
    case .cold: NMEACommand.sealed("PAIR006")
    }
  }

  /// PAIR590: the time, which has to be right to 3 s.
  public static func time(_ instant: UTCInstant) -> [UInt8] {
    NMEACommand.sealed("PAIR590,\(NMEACommand.fields(instant))")
  }

  /// PAIR600: the place, with a circle of error and no height to rely on.
  ///
  /// - Parameters:
  ///   - altitude: nil counts as 0 m.
  ///   - accuracy: limited to 1 m...1000 km.
  public static func position(
    _ position: Coordinate, altitude: Metres?, accuracy: Metres
  ) -> [UInt8] {
    let height = FixedDecimal.text(altitude?.value ?? 0, digits: 1)
    let error = accuracy.value.isNaN ? 1e6 : max(1, min(accuracy.value, 1e6))
    let radius = FixedDecimal.text(error, digits: 1)
    let vertical = altitude == nil ? "1000.0" : "100.0"
    return NMEACommand.sealed(
      "PAIR600,\(NMEACommand.fields(position)),\(height),\(radius),\(radius),0.0,\(vertical)")
  }
}
