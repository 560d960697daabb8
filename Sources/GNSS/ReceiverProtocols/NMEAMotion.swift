/// VTG: course and speed over ground.
struct VTG: EpochPart {
  var track: Double
  /// In knots.
  var speed: Double

  @inline(__always)
  init(_ fields: inout NMEAFields) {
    track = fields.number()
    // NMEA before 2.0 has no unit letters: track, magnetic track, knots, km/h.
    var lettered = fields
    let unit = lettered.letter()
    if unit == UInt8(ascii: "T") || unit == 0 {
      fields = lettered
      fields.skip(2)
      speed = fields.number()
    } else {
      fields.skip()
      speed = fields.number()
    }
  }

  /// RMC has the time of its speed; VTG may belong to the adjacent epoch.
  @inline(__always)
  func apply(to epoch: inout Epoch) {
    if epoch.motion.speed.isNaN, !speed.isNaN { epoch.motion.speed = speed * NMEASentence.knot }
    if epoch.motion.track.isNaN, !track.isNaN { epoch.motion.track = track }
  }
}

/// ZDA: time, and date with a four-digit year.
struct ZDA: TimedSentence {
  static let slot = 5

  var timeOfDay: Int64
  var day: Int
  var month: Int
  var year: Int

  init(_ fields: inout NMEAFields) {
    timeOfDay = fields.timeOfDay()
    day = fields.whole()
    month = fields.whole()
    year = fields.whole()
  }

  var date: (year: Int, month: Int, day: Int)? {
    timeOfDay >= 0 && day > 0 && month > 0 && year > 0 ? (year, month, day) : nil
  }

  func apply(to epoch: inout Epoch) {}
}

/// PUBX,00: u-blox's proprietary position with accuracy estimates ("Lat/Long position data" in the
/// u-blox receiver descriptions).
struct PUBX00: TimedSentence {
  static let slot = 4

  var timeOfDay: Int64
  var latitude: Double
  var longitude: Double
  /// Above the ellipsoid.
  var altitudeHAE: Double
  /// NF none, DR dead reckoning, G2 and G3 GNSS, D2 and D3 differential, RK both, TT time only.
  var status: UInt16
  var horizontalAccuracy: Double
  var verticalAccuracy: Double
  /// Over ground, in km/h.
  var speed: Double
  var track: Double
  /// Positive downwards, m/s.
  var descent: Double
  var hdop: Double
  var vdop: Double
  var satellitesUsed: Int
  private let decimals: Int

  init(_ fields: inout NMEAFields) {
    timeOfDay = fields.timeOfDay()
    latitude = fields.angle("N", "S", limit: 90)
    longitude = fields.angle("E", "W", limit: 180)
    altitudeHAE = fields.number()
    let letters = fields.text()
    status = letters.count == 2 ? UInt16(letters[0]) << 8 | UInt16(letters[1]) : 0
    horizontalAccuracy = fields.number()
    verticalAccuracy = fields.number()
    speed = fields.number()
    track = fields.number()
    descent = fields.number()
    fields.skip()
    hdop = fields.number()
    vdop = fields.number()
    fields.skip()
    satellitesUsed = fields.whole()
    decimals = fields.decimals
  }

  func apply(to epoch: inout Epoch) {
    epoch.claim(dimension > 1)
    epoch.setSatellitesUsed(satellitesUsed)
    epoch.dilution.replace(horizontal: hdop, vertical: vdop)
    guard dimension > 1 else { return }
    epoch.raiseDimension(to: dimension)
    epoch.setPlace(latitude, longitude, decimals: decimals)
    epoch.altitude.ellipsoidal = altitudeHAE
    epoch.errors.horizontal = horizontalAccuracy
    epoch.errors.vertical = verticalAccuracy
    epoch.motion.climb = -descent
    if epoch.motion.speed.isNaN { epoch.motion.speed = speed / 3.6 }
    if epoch.motion.track.isNaN { epoch.motion.track = track }
  }

  private var dimension: Int {
    switch status {
    case 0x4732, 0x4432, 0x4452: 2  // G2, D2, DR
    case 0x4733, 0x4433, 0x524b: 3  // G3, D3, RK
    default: 1
    }
  }
}
