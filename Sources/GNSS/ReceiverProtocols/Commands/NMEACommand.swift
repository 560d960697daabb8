import Core

/// Sentences for receivers that are commanded in NMEA's form.
enum NMEACommand {
  /// The body with `$`, checksum and line end: NMEA 0183, section 5.3.
  static func withChecksum(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "$")] + Array(body.utf8)
      + [UInt8(ascii: "*"), digits[Int(sum >> 4)], digits[Int(sum & 15)], 0x0d, 0x0a]
  }

  /// "2026,05,01,12,00,03": MTK's and Airoha's way to write a date and a time.
  static func fields(_ instant: UTCInstant) -> String {
    let time = CivilTime(instant)
    let rest = [time.month, time.day, time.hour, time.minute, time.second].map {
      $0 < 10 ? "0\($0)" : "\($0)"
    }
    return "\(time.year)," + rest.joined(separator: ",")
  }

  /// "52.071667,5.120000": degrees, negative in the south and the west.
  static func fields(_ position: Coordinate) -> String {
    FixedDecimal.text(position.latitude.value, digits: 6) + ","
      + FixedDecimal.text(position.longitude.value, digits: 6)
  }
}

/// PMTK sentences of MediaTek's MT33x9 receivers. GlobalTop "PMTK command packet" A11; Quectel L76
/// series GNSS protocol specification 3.3.
public enum MTKCommand {
  /// PMTK000, which does nothing and is acknowledged: harmless bytes to wake the receiver with.
  public static let test = NMEACommand.withChecksum("PMTK000")
  /// The numbers of the commands below that end in sleep.
  static let sleepCommands: Set = [161, 225]
  /// Those that end in a start.
  static let restartCommands = 101...103
  /// PMTK161: standby until any byte arrives.
  public static let standby = NMEACommand.withChecksum("PMTK161,0")
  /// PMTK225 with mode 4: backup until FORCE_ON rises or the supply is switched.
  public static let backup = NMEACommand.withChecksum("PMTK225,4")
  /// PMTK225 with mode 0: back from any periodic mode to full power.
  public static let fullPower = NMEACommand.withChecksum("PMTK225,0")
  /// PMTK605: who are you? Answered by PMTK705.
  public static let queryRelease = NMEACommand.withChecksum("PMTK605")

  /// PMTK101, 102, 103. Not acknowledged, but the receiver tells its start (PMTK010).
  public static func restart(_ kind: RestartKind) -> [UInt8] {
    switch kind {
    case .hot: NMEACommand.withChecksum("PMTK101")
    case .warm: NMEACommand.withChecksum("PMTK102")
    case .cold: NMEACommand.withChecksum("PMTK103")
    }
  }

  /// PMTK740: the time. The receiver takes it only while it has none of its own.
  public static func time(_ instant: UTCInstant) -> [UInt8] {
    NMEACommand.withChecksum("PMTK740,\(NMEACommand.fields(instant))")
  }

  /// PMTK741: the place, with the time, which it cannot be told without.
  ///
  /// - Parameter altitude: above mean sea level; nil counts as 0 m.
  public static func position(
    _ position: Coordinate, altitude: Metres?, time: UTCInstant
  ) -> [UInt8] {
    let height = FixedDecimal.text(altitude?.value ?? 0, digits: 0)
    return NMEACommand.withChecksum(
      "PMTK741,\(NMEACommand.fields(position)),\(height),\(NMEACommand.fields(time))")
  }
}

/// PAIR sentences of Airoha's AG33xx receivers. Quectel LC29H and LC79H series GNSS protocol
/// specification; LC26G, LC76G, LC86G series GNSS protocol specification.
public enum PAIRCommand {
  /// PAIR020: which firmware?
  public static let queryVersion = NMEACommand.withChecksum("PAIR020")
  /// PAIR021: which settings and chip? Also said unasked at the start.
  public static let querySettings = NMEACommand.withChecksum("PAIR021")
  /// PAIR003: the GNSS part off; the processor still answers.
  public static let gnssOff = NMEACommand.withChecksum("PAIR003")
  /// PAIR002: the GNSS part on again.
  public static let gnssOn = NMEACommand.withChecksum("PAIR002")

  /// The number of `sleep`.
  static let sleepCommand = 650
  /// The numbers of `restart`.
  static let restartCommands = 4...6
  /// PAIR650: clock and backup memory only. It hears nothing until the time is over or its wake
  /// line changes.
  ///
  /// - Parameter duration: limited to 10 s...720 days; nil sleeps until woken.
  public static func sleep(for duration: Seconds?) -> [UInt8] {
    let seconds = SleepMethod.pairSleep.clamped(duration).map { Int($0.value.rounded()) } ?? 0
    return NMEACommand.withChecksum("PAIR\(sleepCommand),\(seconds)")
  }

  /// PAIR004, 005, 006. Acknowledged.
  public static func restart(_ kind: RestartKind) -> [UInt8] {
    switch kind {
    case .hot: NMEACommand.withChecksum("PAIR004")
    case .warm: NMEACommand.withChecksum("PAIR005")
    case .cold: NMEACommand.withChecksum("PAIR006")
    }
  }

  /// PAIR590: the time, which has to be right to 3 s.
  public static func time(_ instant: UTCInstant) -> [UInt8] {
    NMEACommand.withChecksum("PAIR590,\(NMEACommand.fields(instant))")
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
    return NMEACommand.withChecksum(
      "PAIR600,\(NMEACommand.fields(position)),\(height),\(radius),\(radius),0.0,\(vertical)")
  }
}

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
    NMEACommand.withChecksum("PCAS06,\(query.rawValue)")
  }

  /// PCAS12: standby for a time. Not acknowledged.
  ///
  /// - Parameter duration: limited to 1...65,535 s; nil sleeps the longest.
  public static func standby(for duration: Seconds?) -> [UInt8] {
    let seconds = SleepMethod.casStandby.clamped(duration ?? 65_535)?.value ?? 65_535
    return NMEACommand.withChecksum("PCAS12,\(Int(seconds.rounded()))")
  }

  /// PCAS10 with 0, 1 and 2. Not acknowledged.
  public static func restart(_ kind: RestartKind) -> [UInt8] {
    switch kind {
    case .hot: NMEACommand.withChecksum("PCAS10,0")
    case .warm: NMEACommand.withChecksum("PCAS10,1")
    case .cold: NMEACommand.withChecksum("PCAS10,2")
    }
  }
}
