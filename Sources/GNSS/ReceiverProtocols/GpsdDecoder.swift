import Core

/// Converts gpsd's JSON reports to fixes. gpsd has already assembled the epochs: a TPV is a fix,
/// and the data of the last SKY and GST is added to it. Keys as in gpsd_json(5), 3.22 and 3.25.
///
/// gpsd moves the receiver's date into the 1024 weeks after its own release. So an old gpsd reports
/// new dates wrongly, and a newer gpsd may still receive a wrong date.
struct GpsdDecoder {
  private let dates: DateResolver
  private(set) var satellitesInView: Int?
  private var latest = SatelliteReport()
  private var noise: (time: UTCInstant, horizontal: Double)?
  private var previous: (time: UTCInstant, mode: FixMode)?

  init(options: DecoderOptions) { dates = DateResolver(earliest: options.earliestDate) }

  private struct SatelliteReport {
    var hdop: Double?
    var vdop: Double?
    var pdop: Double?
    var used: Int?
    var inView: Int?
    /// From the last SKY with a list of satellites; nil once a TPV includes it.
    var signals: SatelliteReception?
  }

  mutating func decode(
    _ line: UnsafeBufferPointer<UInt8>, at instant: BootInstant, _ log: inout DecoderLog,
    _ emit: (Fix) -> Void
  ) {
    guard let report = try? JSONValue(parsing: Array(line)), let name = report["class"]?.string
    else {
      log.counters.badJSON += 1
      return
    }
    log.counters.gpsdReports += 1
    switch name {
    case "TPV": position(report, at: instant, &log, emit)
    case "SKY": satellites(report)
    case "GST": noise(report)
    default:
      if name == "ERROR" { log.counters.gpsdErrors += 1 }
      for answer in ReceiverAnswer.answers(in: report, named: name) {
        log.take(answer)
      }
    }
  }

  private mutating func satellites(_ report: JSONValue) {
    latest.hdop = report["hdop"]?.number.flatMap(Plausible.dilution) ?? latest.hdop
    latest.vdop = report["vdop"]?.number.flatMap(Plausible.dilution) ?? latest.vdop
    latest.pdop = report["pdop"]?.number.flatMap(Plausible.dilution) ?? latest.pdop
    // nSat and uSat exist since 3.24; for older versions the list is counted.
    let satellites = report["satellites"]?.array
    let used = satellites.map { list in list.count { $0["used"]?.bool == true } }
    latest.used =
      report["uSat"]?.integer.flatMap(Plausible.satellites) ?? used ?? latest.used
    latest.inView =
      report["nSat"]?.integer.flatMap(Plausible.satellites) ?? satellites?.count
      ?? latest.inView
    satellitesInView = latest.inView
    if let satellites { latest.signals = Self.signals(satellites) }
  }

  /// `ss` is a satellite's C/N0 in dB-Hz. PRN numbers satellites as NMEA does, `gnssid` and `svid`
  /// as u-blox does, if the receiver reports them. Nil if no satellite has an `ss`, which some
  /// drivers do not report.
  private static func signals(_ satellites: [JSONValue]) -> SatelliteReception? {
    var signals = SatelliteSignals()
    if satellites.isEmpty { signals.markReported() }
    for satellite in satellites {
      guard let strength = satellite["ss"]?.number else { continue }
      signals.markReported()
      guard let number = number(satellite), strength > 0, strength < 1000 else { continue }
      signals.add(SatelliteSignal(number, strength: Int(strength)))
    }
    return signals.signals
  }

  private static func number(_ satellite: JSONValue) -> SatelliteNumber? {
    if let gnss = satellite["gnssid"]?.integer.flatMap(UInt8.init(exactly:)),
      let number = satellite["svid"]?.integer.flatMap(UInt8.init(exactly:))
    {
      return SatelliteNumber(Int(number), of: .init(gnss: gnss))
    }
    return satellite["PRN"]?.integer.flatMap(UInt16.init(exactly:)).map {
      SatelliteNumber(Int($0), of: .all)
    }
  }

  private mutating func noise(_ report: JSONValue) {
    guard let time = report["time"]?.string.flatMap({ ISO8601.parse($0) }),
      let north = report["lat"]?.number, let east = report["lon"]?.number
    else { return }
    noise = (time, (north * north + east * east).squareRoot())
  }

  private mutating func position(
    _ report: JSONValue, at instant: BootInstant, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) {
    var fix = Fix(received: instant)
    let reported = report["time"]?.string.flatMap { ISO8601.parse($0) }
    fix.time = reported.flatMap { dates.corrected($0, counters: &log.counters) }
    fix.mode = report["mode"]?.integer.flatMap(FixMode.init(rawValue:)) ?? .none
    fix.hdop = latest.hdop
    fix.vdop = latest.vdop
    fix.pdop = latest.pdop
    fix.satellitesUsed = latest.used
    fix.satellitesInView = latest.inView
    fix.signals = latest.signals
    let position = Self.position(report)
    if let position, position.isNullIsland { log.counters.nullIslands += 1 }
    if let position, !position.isNullIsland, fix.mode != .none {
      fix.position = position
      fill(&fix, from: report, reported: reported)
    } else {
      fix.mode = .none
      fix.quality = .unknown
    }
    if let time = fix.time, fix.mode != .none {
      defer { previous = (time, fix.mode) }
      if let previous, previous.time == time, previous.mode >= fix.mode {
        log.counters.repeatedEpochs += 1
        return
      }
    }
    if fix.mode == .none { log.counters.voidFixes += 1 } else { log.counters.fixes += 1 }
    latest.signals = nil
    emit(fix)
  }

  private static func position(_ report: JSONValue) -> Coordinate? {
    guard let latitude = report["lat"]?.number, let longitude = report["lon"]?.number else {
      return nil
    }
    return Coordinate(checkedLatitude: latitude, longitude: longitude)
  }

  private func fill(_ fix: inout Fix, from report: JSONValue, reported: UTCInstant?) {
    // gpsd leaves `status` out when it is 1.
    fix.quality = report["status"]?.integer.flatMap(FixQuality.init(rawValue:)) ?? .autonomous
    if fix.mode == .threeD {
      fix.altitudeMSL = (report["altMSL"] ?? report["alt"])?.number.map(Metres.init(_:))
      fix.altitudeHAE = report["altHAE"]?.number.map(Metres.init(_:))
    }
    fix.geoidSeparation = report["geoidSep"]?.number.map(Metres.init(_:))
    fix.speed = report["speed"]?.number.flatMap(Plausible.speed)
    fix.track = report["track"]?.number.flatMap(Plausible.course)
    fix.climb = report["climb"]?.number.map(MetresPerSecond.init(_:))
    fix.verticalError = report["epv"]?.number.flatMap(Plausible.error)
    fix.speedError = report["eps"]?.number.flatMap(Plausible.error)
    fix.horizontalError = horizontalError(report, time: reported).flatMap(Plausible.error)
  }

  /// `eph` is gpsd's horizontal estimate, `epx` and `epy` are those of its axes; without any of
  /// them, the receiver's own GST of the same moment is used. gpsd_json(5) calls their certainty
  /// unknown: gpsd passes on the receiver's estimate, or else takes HDOP times a range error of 15
  /// m, which its source calls 95 %.
  private func horizontalError(_ report: JSONValue, time: UTCInstant?) -> Double? {
    if let error = report["eph"]?.number { return error }
    if let east = report["epx"]?.number, let north = report["epy"]?.number {
      return (east * east + north * north).squareRoot()
    }
    return noise?.time == time ? noise?.horizontal : nil
  }
}
