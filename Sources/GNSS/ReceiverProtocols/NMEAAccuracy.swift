/// GSA: fix dimension, satellites used, dilution of precision. A multi-constellation receiver sends
/// one for each constellation.
struct GSA: EpochPart {
  /// 1 none, 2 without altitude, 3 with altitude.
  var dimension: Int
  var pdop: Double
  var hdop: Double
  var vdop: Double

  @inline(__always)
  init(_ fields: inout NMEAFields) {
    fields.skip()
    dimension = fields.whole()
    fields.skip(12)
    pdop = fields.number()
    hdop = fields.number()
    vdop = fields.number()
  }

  @inline(__always)
  func apply(to epoch: inout Epoch) {
    epoch.countGroup(isLast: true)
    epoch.raiseDimension(to: min(dimension, 3))
    epoch.dilution.replace(horizontal: hdop, vertical: vdop, position: pdop)
  }
}

/// GST: the receiver's own error statistics, 1 sigma, in metres.
struct GST: TimedSentence {
  static let slot = 6

  var timeOfDay: Int64
  var latitudeError: Double
  var longitudeError: Double
  var altitudeError: Double

  init(_ fields: inout NMEAFields) {
    timeOfDay = fields.timeOfDay()
    fields.skip(4)
    latitudeError = fields.number()
    longitudeError = fields.number()
    altitudeError = fields.number()
  }

  func apply(to epoch: inout Epoch) {
    epoch.errors.horizontal =
      (latitudeError * latitudeError + longitudeError * longitudeError).squareRoot()
    epoch.errors.vertical = altitudeError
  }
}

/// GSV: satellites in view, up to four per sentence, each with its number, elevation, azimuth and
/// C/N0. In NMEA 4.11 a signal id ends the sentence.
struct GSV: EpochPart {
  var total: Int
  var number: Int
  var satellitesInView: Int
  private let talker: UInt16
  private let signals: FourSignals

  @inline(__always)
  init(_ fields: inout NMEAFields, talker: UInt16) {
    self.talker = talker
    total = fields.whole()
    number = fields.whole()
    satellitesInView = fields.whole()
    signals = fields.satellites(of: SatelliteNumber.Constellation(talker: talker))
  }

  /// The length of a group varies with the satellites in view: only its last sentence can end a
  /// cycle.
  @inline(__always)
  func apply(to epoch: inout Epoch) {
    if satellitesInView >= 0 { epoch.countSatellites(satellitesInView, talker: talker) }
    epoch.markSignalsReported()
    epoch.addSignals(signals)
    if satellitesInView > 0 { epoch.name(signals) }
    epoch.countGroup(isLast: number >= total)
  }
}
