import Quantities

/// What a receiver said about one moment (an epoch), whatever protocol it spoke. After this nobody
/// knows where it came from.
public struct Fix: Hashable, Sendable {
  /// When the epoch's last byte arrived, on the board's clock.
  public var received: BootInstant
  /// The epoch's time as the receiver tells it; nil before it knows the date.
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
  /// when it made none. Receivers differ in what it means; 1 sigma is the commonest claim.
  public var horizontalError: Metres?
  public var verticalError: Metres?
  public var speedError: MetresPerSecond?
  public var hdop: Double?
  public var vdop: Double?
  public var pdop: Double?
  public var satellitesUsed: Int?
  public var satellitesInView: Int?
  /// Nil when the receiver did not say how strong the signals are.
  public var signals: SkySignals?

  public init(received: BootInstant) { self.received = received }

  /// Whether the fix has a place to offer.
  public var hasPosition: Bool { mode != .none && position != nil }
}

/// Numbered like gpsd's `mode`: 1 no fix, 2 without altitude, 3 with altitude.
public enum FixMode: Int, Comparable, Sendable, CaseIterable {
  case none = 1
  case twoD = 2
  case threeD = 3

  public static func < (a: FixMode, b: FixMode) -> Bool { a.rawValue < b.rawValue }
}

/// How the position was made, in the numbering of gpsd's `status`.
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
