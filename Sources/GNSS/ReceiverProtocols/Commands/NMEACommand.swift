import Core

/// Commands as NMEA sentences.
enum NMEACommand {
  /// The body with `$`, checksum and line end: NMEA 0183, section 5.3.
  static func withChecksum(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "$")] + Array(body.utf8)
      + [UInt8(ascii: "*"), digits[Int(sum >> 4)], digits[Int(sum & 15)], 0x0d, 0x0a]
  }

  /// "2026,05,01,12,00,03": date and time in MTK's and Airoha's form.
  static func fields(_ instant: UTCInstant) -> String {
    let time = CivilTime(instant)
    let rest = [time.month, time.day, time.hour, time.minute, time.second].map {
      $0 < 10 ? "0\($0)" : "\($0)"
    }
    return "\(time.year)," + rest.joined(separator: ",")
  }

  /// "52.071667,5.120000": degrees, negative for south and west.
  static func fields(_ position: Coordinate) -> String {
    FixedDecimal.text(position.latitude.value, digits: 6) + ","
      + FixedDecimal.text(position.longitude.value, digits: 6)
  }
}

/// PMTK sentences of MediaTek's MT33x9 receivers. GlobalTop "PMTK command packet" A11; Quectel L76
/// series GNSS protocol specification 3.3.
enum MTKCommand {
  /// PMTK000, which does nothing and is acknowledged: harmless bytes for waking the receiver.
  static let test = NMEACommand.withChecksum("PMTK000")
  /// The numbers of the sleep commands below.
  static let sleepCommands: Set = [161, 225]
  /// The numbers of the restart commands below.
  static let restartCommands = 101...103
  /// PMTK161: standby until any byte arrives.
  static let standby = NMEACommand.withChecksum("PMTK161,0")
  /// PMTK225 with mode 4: backup until FORCE_ON rises or the supply is switched.
  static let backup = NMEACommand.withChecksum("PMTK225,4")
  /// PMTK225 with mode 0: from any periodic mode to full power.
  static let fullPower = NMEACommand.withChecksum("PMTK225,0")
  /// PMTK605: queries the release. Answered by PMTK705.
  static let queryRelease = NMEACommand.withChecksum("PMTK605")

  /// PMTK101, 102, 103. Not acknowledged, but the receiver reports its start (PMTK010).
  static func restart(_ kind: RestartKind) -> [UInt8] {
    switch kind {
    case .hot: NMEACommand.withChecksum("PMTK101")
    case .warm: NMEACommand.withChecksum("PMTK102")
    case .cold: NMEACommand.withChecksum("PMTK103")
    }
  }

  /// PMTK740: the time. The receiver accepts it only while it has no time of its own.
  static func time(_ instant: UTCInstant) -> [UInt8] {
    NMEACommand.withChecksum("PMTK740,\(NMEACommand.fields(instant))")
  }

  /// PMTK741: the position, together with the time, which is required.
  ///
  /// - Parameter altitude: above mean sea level; nil counts as 0 m.
  static func position(
    _ position: Coordinate, altitude: Metres?, time: UTCInstant
  ) -> [UInt8] {
    let height = FixedDecimal.text(altitude?.value ?? 0, digits: 0)
    return NMEACommand.withChecksum(
      "PMTK741,\(NMEACommand.fields(position)),\(height),\(NMEACommand.fields(time))")
  }
}

/// PAIR sentences of Airoha's AG33xx receivers. Quectel LC29H and LC79H series GNSS protocol
/// specification; LC26G, LC76G, LC86G series GNSS protocol specification.
enum PAIRCommand {
  /// PAIR020: queries the firmware.
  static let queryVersion = NMEACommand.withChecksum("PAIR020")
  /// PAIR021: queries settings and chip. Also sent unrequested at the start.
  static let querySettings = NMEACommand.withChecksum("PAIR021")
  /// PAIR003: the GNSS part is switched off; the processor still answers.
  static let gnssOff = NMEACommand.withChecksum("PAIR003")
  /// PAIR002: the GNSS part is switched on again.
  static let gnssOn = NMEACommand.withChecksum("PAIR002")

  /// The number of `sleep`.
  static let sleepCommand = 650
  /// The numbers of `restart`.
  static let restartCommands = 4...6
  /// PAIR650: clock and backup memory only. Input is ignored until the time is over or its wake
  /// line changes.
  ///
  /// - Parameter duration: limited to 10 s...720 days; nil sleeps until woken.
  static func sleep(for duration: Seconds?) -> [UInt8] {
    let seconds = SleepMethod.pairSleep.clamped(duration).map { Int($0.value.rounded()) } ?? 0
    return NMEACommand.withChecksum("PAIR\(sleepCommand),\(seconds)")
  }

  /// PAIR004, 005, 006. Acknowledged.
  static func restart(_ kind: RestartKind) -> [UInt8] {
    switch kind {
    case .hot: NMEACommand.withChecksum("PAIR004")
    case .warm: NMEACommand.withChecksum("PAIR005")
    case .cold: NMEACommand.withChecksum("PAIR006")
    }
  }

  /// PAIR590: the time, which must be accurate to 3 s.
  static func time(_ instant: UTCInstant) -> [UInt8] {
    NMEACommand.withChecksum("PAIR590,\(NMEACommand.fields(instant))")
  }

  /// PAIR600: the position, with a circular horizontal error; the height is declared as inaccurate.
  ///
  /// - Parameters:
  ///   - altitude: nil counts as 0 m.
  ///   - accuracy: limited to 1 m...1000 km.
  static func position(
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
enum CASCommand {
  /// PCAS06: the property to query. Answered by GPTXT sentences with `SW=`, `HW=` and so on.
  enum Query: Int, CaseIterable, Sendable {
    case firmware = 0
    case hardware = 1
    /// The chip's type; not in all firmware.
    case chip = 6
  }

  static func query(_ query: Query) -> [UInt8] {
    NMEACommand.withChecksum("PCAS06,\(query.rawValue)")
  }

  /// PCAS12: standby for a period. Not acknowledged.
  ///
  /// - Parameter duration: limited to 1...65,535 s; nil sleeps for the maximum.
  static func standby(for duration: Seconds?) -> [UInt8] {
    let seconds = SleepMethod.casStandby.clamped(duration ?? 65_535)?.value ?? 65_535
    return NMEACommand.withChecksum("PCAS12,\(Int(seconds.rounded()))")
  }

  /// PCAS10 with 0, 1 and 2. Not acknowledged.
  static func restart(_ kind: RestartKind) -> [UInt8] {
    switch kind {
    case .hot: NMEACommand.withChecksum("PCAS10,0")
    case .warm: NMEACommand.withChecksum("PCAS10,1")
    case .cold: NMEACommand.withChecksum("PCAS10,2")
    }
  }
}
