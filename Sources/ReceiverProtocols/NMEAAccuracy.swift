/// GSA: fix dimension, satellites used, dilution of precision. A receiver of several
/// constellations sends one for each.
struct GSA {
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
}

/// GST: the receiver's own error statistics, 1 sigma, in metres.
struct GST {
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
}

/// GSV: satellites in view, up to four to a sentence. Only the count matters here.
struct GSV {
  var total: Int
  var number: Int
  var satellitesInView: Int

  @inline(__always)
  init(_ fields: inout NMEAFields) {
    total = fields.whole()
    number = fields.whole()
    satellitesInView = fields.whole()
  }

  /// Whether this is the last of its group.
  var isLast: Bool { number >= total }
}
