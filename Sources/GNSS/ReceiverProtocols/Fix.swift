import Core

/// A receiver's report about one moment (an epoch), independent of its protocol.
public struct Fix: Hashable, Sendable {
  /// When the epoch's last byte arrived, on the boot clock.
  public var received: BootInstant
  /// The epoch's time as reported by the receiver; nil before it has the date.
  public var time: UTCInstant?
  public var mode: FixMode = .none
  public var quality: FixQuality = .autonomous
  /// Nil unless `mode` is a fix.
  public var position: Coordinate?
  /// Above mean sea level (the geoid).
  public var altitudeMSL: Metres?
  /// Above the WGS 84 ellipsoid.
  public var altitudeHAE: Metres?
  /// Height of the geoid above the ellipsoid.
  public var geoidSeparation: Metres?
  /// Over ground.
  public var speed: MetresPerSecond?
  /// Course over ground, 0..<360 degrees from true north.
  public var track: Degrees?
  /// Rate of climb, up positive.
  public var climb: MetresPerSecond?
  /// The receiver's own estimate of its horizontal error (GST, UBX hAcc, PUBX, gpsd eph), or nil
  /// without one. Its meaning differs between receivers; 1 sigma is the most common.
  public var horizontalError: Metres?
  public var verticalError: Metres?
  public var speedError: MetresPerSecond?
  public var hdop: Double?
  public var vdop: Double?
  public var pdop: Double?
  public var satellitesUsed: Int?
  public var satellitesInView: Int?
  /// Nil if the receiver did not report signal strengths.
  public var signals: SatelliteReception?

  public init(received: BootInstant) { self.received = received }

  /// Whether the fix has a valid position.
  public var hasPosition: Bool { mode != .none && position != nil }
}

/// Numbered like gpsd's `mode`: 1 no fix, 2 without altitude, 3 with altitude.
public enum FixMode: Int, Comparable, Sendable, CaseIterable {
  case none = 1
  case twoD = 2
  case threeD = 3

  public static func < (a: FixMode, b: FixMode) -> Bool { a.rawValue < b.rawValue }
}

/// The origin of the position, in the numbering of gpsd's `status`.
public enum FixQuality: Int, Sendable, CaseIterable {
  case unknown = 0
  case autonomous = 1
  case differential = 2
  case rtkFixed = 3
  case rtkFloat = 4
  /// Dead reckoning only: the receiver extrapolates without satellites.
  case deadReckoning = 5
  /// Satellites and dead reckoning together.
  case gnssAndDeadReckoning = 6
  /// A surveyed, fixed position (a time-only receiver).
  case surveyed = 7
  case simulated = 8
  case precise = 9
}

/// A fix as one line of JSON with the keys of gpsd's TPV (gpsd_json(5)), in gpsd's order, so that
/// people and programs can read it like gpsd's output.
public enum FixJSON {
  public static func write(_ fix: Fix, to writer: inout JSONWriter) {
    writer.object { json in
      json.field("class", "TPV")
      if fix.mode != .none, fix.quality != .autonomous {
        json.field("status", fix.quality.rawValue)
      }
      json.field("mode", fix.mode.rawValue)
      json.field("time", ifKnown: fix.time)
      writePosition(fix, to: &json)
      writeErrors(fix, to: &json)
      writeMotion(fix, to: &json)
      writeSatellites(fix, to: &json)
    }
  }

  private static func writePosition(_ fix: Fix, to json: inout JSONWriter) {
    json.field("lat", ifKnown: fix.position?.latitude.value, digits: 9)
    json.field("lon", ifKnown: fix.position?.longitude.value, digits: 9)
    json.field("altHAE", ifKnown: fix.altitudeHAE?.value, digits: 4)
    json.field("altMSL", ifKnown: fix.altitudeMSL?.value, digits: 4)
    json.field("alt", ifKnown: fix.altitudeMSL?.value, digits: 4)
  }

  private static func writeErrors(_ fix: Fix, to json: inout JSONWriter) {
    json.field("epv", ifKnown: fix.verticalError?.value, digits: 3)
    json.field("eps", ifKnown: fix.speedError?.value, digits: 3)
    json.field("eph", ifKnown: fix.horizontalError?.value, digits: 3)
  }

  private static func writeMotion(_ fix: Fix, to json: inout JSONWriter) {
    json.field("track", ifKnown: fix.track?.value, digits: 4)
    json.field("speed", ifKnown: fix.speed?.value, digits: 3)
    json.field("climb", ifKnown: fix.climb?.value, digits: 3)
    json.field("geoidSep", ifKnown: fix.geoidSeparation?.value, digits: 3)
  }

  /// Values that gpsd reports in SKY and not in TPV, under SKY's names: one line has the whole fix.
  private static func writeSatellites(_ fix: Fix, to json: inout JSONWriter) {
    json.field("hdop", ifKnown: fix.hdop, digits: 2)
    json.field("uSat", ifKnown: fix.satellitesUsed)
    json.field("nSat", ifKnown: fix.satellitesInView)
  }
}

/// The plausible ranges of a receiver's or gpsd's values; nil for anything else, including NaN and
/// infinity.
enum Plausible {
  static func speed(_ value: Double) -> MetresPerSecond? {
    (0...1e5).contains(value) ? MetresPerSecond(value) : nil
  }

  /// Over ground, from true north; 360 is converted to 0.
  static func course(_ value: Double) -> Degrees? {
    (0...360).contains(value) ? Degrees(value == 360 ? 0 : value) : nil
  }

  /// An estimated error in metres, or in metres per second.
  static func error<Q: Quantity>(_ value: Double) -> Q? {
    (0...1e9).contains(value) ? Q(value) : nil
  }

  /// Dilution of precision; 99.99 means none.
  static func dilution(_ value: Double) -> Double? { (0...1e9).contains(value) ? value : nil }

  static func satellites(_ count: Int) -> Int? { (0...1000).contains(count) ? count : nil }
}
