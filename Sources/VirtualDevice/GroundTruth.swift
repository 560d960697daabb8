import Quantities

/// Who carries the board: where it truly is at every moment.
///
/// Asked in the order of time; a question may go back by a second at most, because the bytes of an
/// epoch arrive a little after the moment that they tell of.
public protocol GroundTruth: AnyObject {
  /// The first moment at which the truth is known.
  var start: UTCInstant { get }
  /// The last moment at which it is known; nil as long as a stream has not told.
  var end: UTCInstant? { get }
  /// True once the truth has been followed to its end.
  var hasEnded: Bool { get }
  /// Nil where the truth is unknown: then nobody can say what a receiver would have seen.
  func state(at time: UTCInstant) -> TrueState?
  /// The access point that the board is connected to.
  func accessPoint(at time: UTCInstant) -> AccessPoint?
}

/// Where the board is and how it moves.
public struct TrueState: Hashable, Sendable {
  public var place: Coordinate
  /// Above mean sea level.
  public var altitude: Metres
  public var speed: MetresPerSecond
  /// Course over ground; keeps its last value at rest.
  public var track: Degrees
  public var sky: Sky

  public init(
    place: Coordinate, altitude: Metres = 0, speed: MetresPerSecond = 0, track: Degrees = 0,
    sky: Sky = .open
  ) {
    self.place = place
    self.altitude = altitude
    self.speed = speed
    self.track = track
    self.sky = sky
  }
}

/// How much of the sky the antenna sees.
public enum Sky: Int, Sendable, CaseIterable {
  case open
  /// Between houses, under trees, in a bus.
  case street
  case indoors
  /// A cellar, a tunnel, a metal shed: nothing comes through.
  case none
}

/// A Wi-Fi access point and where it truly stands.
public struct AccessPoint: Hashable, Sendable {
  /// The BSSID, "02:00:00:00:00:01".
  public var name: String
  public var place: Coordinate

  public init(name: String, place: Coordinate) {
    self.name = name
    self.place = place
  }
}
