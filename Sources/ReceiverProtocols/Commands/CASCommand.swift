import Quantities

/// PCAS sentences of Zhongkewei's receivers: AT6558 in ATGM336H, Quectel L76K. CASIC multimode
/// satellite navigation receiver protocol specification 4.2.0.3.
public enum CASCommand {
  /// PCAS06: what to tell about itself. Answered by GPTXT sentences with `SW=`, `HW=` and so on.
  public enum Query: Int, CaseIterable, Sendable {
    case firmware = 0
    case hardware = 1
    /// The chip's type; not in all firmware.
    case chip = 6
  }

  public static func query(_ query: Query) -> [UInt8] {
    NMEACommand.sealed("PCAS06,\(query.rawValue)")
  }

  /// PCAS12: standby for a time. Not acknowledged.
  ///
  /// - Parameter duration: limited to 1...65,535 s; nil sleeps the longest.
  public static func standby(for duration: Seconds?) -> [UInt8] {
    let seconds = SleepMethod.casStandby.clamped(duration ?? 65_535)?.value ?? 65_535
    return NMEACommand.sealed("PCAS12,\(Int(seconds.rounded()))")
  }

  /// PCAS10 with 0, 1 and 2.
  public static func restart(_ kind: RestartKind) -> [UInt8] {
    switch kind {
    case .hot: NMEACommand.sealed("PCAS10,0")
    case .warm: NMEACommand.sealed("PCAS10,1")
    case .cold: NMEACommand.sealed("PCAS10,2")
    }
  }
}
