import Notation
import Quantities

/// PMTK sentences of MediaTek's MT33x9 receivers. GlobalTop "PMTK command packet" A11; Quectel L76
/// series GNSS protocol specification 3.3.
public enum MTKCommand {
  /// PMTK000, which does nothing and is acknowledged: harmless bytes to wake the receiver with.
  public static let test = NMEACommand.sealed("PMTK000")
  /// The numbers of the commands below that end in sleep.
  static let sleepCommands: Set = [161, 225]
  /// PMTK161: standby until any byte arrives.
  public static let standby = NMEACommand.sealed("PMTK161,0")
  /// PMTK225 with mode 4: backup until FORCE_ON rises or the supply is switched.
  public static let backup = NMEACommand.sealed("PMTK225,4")
  /// PMTK225 with mode 0: back from any periodic mode to full power.
  public static let fullPower = NMEACommand.sealed("PMTK225,0")
  /// PMTK605: who are you? Answered by PMTK705.
  public static let queryRelease = NMEACommand.sealed("PMTK605")

  /// PMTK101, 102, 103.
  public static func restart(_ kind: RestartKind) -> [UInt8] {
    switch kind {
    case .hot: NMEACommand.sealed("PMTK101")
    case .warm: NMEACommand.sealed("PMTK102")
    case .cold: NMEACommand.sealed("PMTK103")
    }
  }

  /// PMTK740: the time. The receiver takes it only while it has none of its own.
  public static func time(_ instant: UTCInstant) -> [UInt8] {
    NMEACommand.sealed("PMTK740,\(NMEACommand.fields(instant))")
  }

  /// PMTK741: the place, with the time, which it cannot be told without.
  ///
  /// - Parameter altitude: above mean sea level; nil counts as 0 m.
  public static func position(
    _ position: Coordinate, altitude: Metres?, time: UTCInstant
  ) -> [UInt8] {
    let height = FixedDecimal.text(altitude?.value ?? 0, digits: 0)
    return NMEACommand.sealed(
      "PMTK741,\(NMEACommand.fields(position)),\(height),\(NMEACommand.fields(time))")
  }
}
