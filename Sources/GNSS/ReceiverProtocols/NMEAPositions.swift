/// GGA: "fix data", the sentence that every receiver sends.
struct GGA: TimedSentence {
  static let slot = 0

  var timeOfDay: Int64
  var latitude: Double
  var longitude: Double
  /// 0 none, 1 GPS, 2 differential, 3 PPS, 4 RTK fixed, 5 RTK float, 6 dead reckoning, 7 manual,
  /// 8 simulated, 9 (some receivers) SBAS or precise.
  var quality: Int
  var satellitesUsed: Int
  var hdop: Double
  var altitude: Double
  var separation: Double
  private let decimals: Int

  @inline(__always)
  init(_ fields: inout NMEAFields) {
    timeOfDay = fields.timeOfDay()
    latitude = fields.angle("N", "S", limit: 90)
    longitude = fields.angle("E", "W", limit: 180)
    quality = fields.whole()
    satellitesUsed = fields.whole()
    hdop = fields.number()
    altitude = fields.number()
    fields.skip()
    separation = fields.number()
    decimals = fields.decimals
  }

  @inline(__always)
  func apply(to epoch: inout Epoch) {
    epoch.setSatellitesUsed(satellitesUsed)
    epoch.dilution.replace(horizontal: hdop)
    epoch.claim(quality > 0)
    guard quality > 0 else { return }
    epoch.quality = ModeIndicator.quality(ofGGA: quality)
    epoch.setPlace(latitude, longitude, decimals: decimals)
    if !altitude.isNaN { epoch.altitude.meanSeaLevel = altitude }
    if !separation.isNaN { epoch.altitude.separation = separation }
  }
}

/// RMC: "recommended minimum", the only sentence with date, time and position.
struct RMC: TimedSentence {
  static let slot = 1

  var timeOfDay: Int64
  var status: UInt8
  var latitude: Double
  var longitude: Double
  /// Over ground, in knots.
  var speed: Double
  var track: Double
  private let ddmmyy: Int
  /// NMEA 2.3: A autonomous, D differential, E estimated, F RTK float, R RTK, M manual,
  /// S simulated, P precise, N not valid; 0 before 2.3.
  var indicator: UInt8
  private let decimals: Int

  @inline(__always)
  init(_ fields: inout NMEAFields) {
    timeOfDay = fields.timeOfDay()
    status = fields.letter()
    latitude = fields.angle("N", "S", limit: 90)
    longitude = fields.angle("E", "W", limit: 180)
    speed = fields.number()
    track = fields.number()
    ddmmyy = fields.date()
    fields.skip(2)
    indicator = fields.letter()
    decimals = fields.decimals
  }

  var date: (year: Int, month: Int, day: Int)? {
    ddmmyy > 0 ? (ddmmyy % 100, ddmmyy / 100 % 100, ddmmyy / 10_000) : nil
  }

  @inline(__always)
  func apply(to epoch: inout Epoch) {
    let isFix = ModeIndicator.isFix(status: status, indicator)
    epoch.claim(isFix)
    guard isFix else { return }
    epoch.setPlace(latitude, longitude, decimals: decimals, indicator: indicator)
    if !speed.isNaN { epoch.motion.speed = speed * NMEASentence.knot }
    if !track.isNaN { epoch.motion.track = track }
  }
}

/// GLL: position and time.
struct GLL: TimedSentence {
  static let slot = 2

  var latitude: Double
  var longitude: Double
  var timeOfDay: Int64
  var status: UInt8
  var indicator: UInt8
  private let decimals: Int

  @inline(__always)
  init(_ fields: inout NMEAFields) {
    latitude = fields.angle("N", "S", limit: 90)
    longitude = fields.angle("E", "W", limit: 180)
    timeOfDay = fields.timeOfDay()
    status = fields.letter()
    indicator = fields.letter()
    decimals = fields.decimals
  }

  @inline(__always)
  func apply(to epoch: inout Epoch) {
    let isFix = ModeIndicator.isFix(status: status, indicator)
    epoch.claim(isFix)
    if isFix { epoch.setPlace(latitude, longitude, decimals: decimals, indicator: indicator) }
  }
}

/// GNS: GGA for several constellations, with one mode indicator for each.
struct GNS: TimedSentence {
  static let slot = 3

  var timeOfDay: Int64
  var latitude: Double
  var longitude: Double
  /// The best of the constellations' indicators, as in RMC; 0 when the field is empty.
  var indicator: UInt8
  var satellitesUsed: Int
  var hdop: Double
  var altitude: Double
  var separation: Double
  private let decimals: Int

  init(_ fields: inout NMEAFields) {
    timeOfDay = fields.timeOfDay()
    latitude = fields.angle("N", "S", limit: 90)
    longitude = fields.angle("E", "W", limit: 180)
    indicator = 0
    var rank = -1
    for letter in fields.text() where ModeIndicator.rank(letter) > rank {
      rank = ModeIndicator.rank(letter)
      indicator = letter
    }
    satellitesUsed = fields.whole()
    hdop = fields.number()
    altitude = fields.number()
    separation = fields.number()
    decimals = fields.decimals
  }

  func apply(to epoch: inout Epoch) {
    epoch.setSatellitesUsed(satellitesUsed)
    epoch.dilution.replace(horizontal: hdop)
    let isFix = indicator != 0 && indicator != UInt8(ascii: "N")
    epoch.claim(isFix)
    guard isFix else { return }
    epoch.setPlace(latitude, longitude, decimals: decimals, indicator: indicator)
    if !altitude.isNaN { epoch.altitude.meanSeaLevel = altitude }
    if !separation.isNaN { epoch.altitude.separation = separation }
  }
}

extension Epoch {
  /// Sets a position with its mode indicator; GGA distinguishes more qualities.
  fileprivate mutating func setPlace(
    _ latitude: Double, _ longitude: Double, decimals: Int, indicator: UInt8
  ) {
    if indicator != 0, position.isUnknown { quality = ModeIndicator.quality(indicator) }
    setPlace(latitude, longitude, decimals: decimals)
  }
}

/// The mode indicator of RMC, GLL, VTG and GNS: the origin of a position (NMEA 0183 2.3 and later).
enum ModeIndicator {
  /// RMC and GLL also have a status, which is the only indication before 2.3.
  static func isFix(status: UInt8, _ letter: UInt8) -> Bool {
    status == UInt8(ascii: "A") && letter != UInt8(ascii: "N")
  }

  static func quality(_ letter: UInt8) -> FixQuality {
    switch letter {
    case UInt8(ascii: "D"): .differential
    case UInt8(ascii: "E"): .deadReckoning
    case UInt8(ascii: "F"): .rtkFloat
    case UInt8(ascii: "R"): .rtkFixed
    case UInt8(ascii: "M"): .surveyed
    case UInt8(ascii: "S"): .simulated
    case UInt8(ascii: "P"): .precise
    default: .autonomous
    }
  }

  /// Orders indicators by quality, so that the best one of GNS can be chosen.
  static func rank(_ letter: UInt8) -> Int {
    switch letter {
    case UInt8(ascii: "N"): 0
    case UInt8(ascii: "S"), UInt8(ascii: "M"): 1
    case UInt8(ascii: "E"): 2
    case UInt8(ascii: "A"): 3
    case UInt8(ascii: "D"): 4
    case UInt8(ascii: "P"): 5
    case UInt8(ascii: "F"): 6
    case UInt8(ascii: "R"): 7
    default: -1
    }
  }

  /// For GGA's numbering, which differs from gpsd's.
  static func quality(ofGGA number: Int) -> FixQuality {
    switch number {
    case 2, 9: .differential
    case 3: .precise
    case 4: .rtkFixed
    case 5: .rtkFloat
    case 6: .deadReckoning
    case 7: .surveyed
    case 8: .simulated
    default: .autonomous
    }
  }
}
