/// GGA: "fix data", the sentence every receiver sends.
struct GGA {
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
  }
}

/// RMC: "recommended minimum", the only one with date, time and position together.
struct RMC {
  var timeOfDay: Int64
  var status: UInt8
  var latitude: Double
  var longitude: Double
  /// Over ground, in knots.
  var speed: Double
  var track: Double
  /// ddmmyy
  var date: Int
  /// NMEA 2.3: A autonomous, D differential, E estimated, F RTK float, R RTK, M manual,
  /// S simulated, P precise, N not valid; 0 before 2.3.
  var indicator: UInt8

  @inline(__always)
  init(_ fields: inout NMEAFields) {
    timeOfDay = fields.timeOfDay()
    status = fields.letter()
    latitude = fields.angle("N", "S", limit: 90)
    longitude = fields.angle("E", "W", limit: 180)
    speed = fields.number()
    track = fields.number()
    date = fields.date()
    fields.skip(2)
    indicator = fields.letter()
  }
}

/// GLL: position and time.
struct GLL {
  var latitude: Double
  var longitude: Double
  var timeOfDay: Int64
  var status: UInt8
  var indicator: UInt8

  @inline(__always)
  init(_ fields: inout NMEAFields) {
    latitude = fields.angle("N", "S", limit: 90)
    longitude = fields.angle("E", "W", limit: 180)
    timeOfDay = fields.timeOfDay()
    status = fields.letter()
    indicator = fields.letter()
  }
}

/// GNS: GGA for several constellations at once, one mode indicator for each.
struct GNS {
  var timeOfDay: Int64
  var latitude: Double
  var longitude: Double
  /// The best of the constellations' indicators, as in RMC; 0 when the field is empty.
  var indicator: UInt8
  var satellitesUsed: Int
  var hdop: Double
  var altitude: Double
  var separation: Double

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
  }
}
