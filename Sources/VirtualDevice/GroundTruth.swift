import Core

/// The board's true position at every moment.
///
/// Queried in the order of time; a query may go back by at most a second, because the bytes of an
/// epoch arrive shortly after the moment that they describe.
public protocol GroundTruth: AnyObject {
  /// The first moment at which the truth is known.
  var start: UTCInstant { get }
  /// The last moment at which it is known; nil until a stream has ended.
  var end: UTCInstant? { get }
  /// True once the truth has been followed to its end.
  var hasEnded: Bool { get }
  /// Nil where the truth is unknown, and with it the reception.
  func state(at time: UTCInstant) -> TrueState?
  /// The access point that the board is connected to.
  func accessPoint(at time: UTCInstant) -> AccessPoint?
  /// A second copy of the truth, to be followed independently from its start. Called before either
  /// is queried.
  func another() -> any GroundTruth
  /// The end of the present stay at one place, drifting or not, or of unknown truth, from `time`
  /// on; nil: it moves, or that is unknown. `time` is the moment that was queried last.
  func settled(at time: UTCInstant) -> UTCInstant?
  /// Advances to that moment without other effects: later answers are the same whether it was
  /// called or not.
  func follow(to time: UTCInstant)
}

extension GroundTruth {
  public func settled(at time: UTCInstant) -> UTCInstant? { nil }
  public func follow(to time: UTCInstant) { _ = state(at: time) }
}

/// Where the board is and how it moves.
public struct TrueState: Hashable, Sendable {
  public var position: Coordinate
  /// Above mean sea level.
  public var altitude: Metres
  public var speed: MetresPerSecond
  /// Course over ground; keeps its last value at rest.
  public var track: Degrees
  public var reception: Reception

  public init(
    position: Coordinate, altitude: Metres = 0, speed: MetresPerSecond = 0, track: Degrees = 0,
    reception: Reception = .open
  ) {
    self.position = position
    self.altitude = altitude
    self.speed = speed
    self.track = track
    self.reception = reception
  }
}

/// The reception at the antenna.
public enum Reception: Int, Sendable, CaseIterable {
  case open
  /// Between buildings, under trees, in a bus.
  case street
  case indoors
  /// A cellar, a tunnel, a metal shed: no signal.
  case none
}

/// A Wi-Fi access point and its true position.
public struct AccessPoint: Hashable, Sendable {
  /// The BSSID, "02:00:00:00:00:01".
  var name: String
  public var position: Coordinate

  public init(name: String, position: Coordinate) {
    self.name = name
    self.position = position
  }
}
