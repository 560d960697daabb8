import Core
import Records

/// A fix that is good enough to learn from where the access points and cells around are.
public struct TrainingFix: Hashable, Sendable {
  /// Worse ones teach access points nothing. Fixes under a roof are about so good, and under roofs
  /// is where a place without GNSS saves most; many of them together place well.
  public static let worstAccuracy: Metres = 50
  /// Cells reach kilometres.
  public static let worstAccuracyForCells: Metres = 200
  /// A scan listens for some seconds: what is faster was elsewhere at its end.
  public static let fastest: MetresPerSecond = 10

  public let time: UTCInstant
  public let position: Coordinate
  /// The radius that holds the truth in 68 %.
  public let accuracy: Metres
  /// Over ground; nil where it was not measured.
  public let speed: MetresPerSecond?

  /// - Returns: nil when it teaches nothing: too inaccurate for anything, or no position at all.
  public init?(
    time: UTCInstant, position: Coordinate, accuracy: Metres, speed: MetresPerSecond?
  ) {
    guard accuracy > 0, accuracy <= Self.worstAccuracyForCells, !position.isNullIsland,
      Coordinate(
        checkedLatitude: position.latitude.value, longitude: position.longitude.value) != nil
    else { return nil }
    self.time = time
    self.position = position
    self.accuracy = accuracy
    self.speed = speed
  }

  public init?(_ location: Location) {
    guard location.source == .gnss else { return nil }
    self.init(
      time: location.time, position: location.position, accuracy: location.accuracy,
      speed: location.speed)
  }

  /// Whether it says where access points are that are heard now.
  public var teachesAccessPoints: Bool {
    accuracy <= Self.worstAccuracy && (speed.map { $0 <= Self.fastest } ?? true)
  }

  /// The standard deviation in each direction; no receiver is better than that over days.
  var deviation: Metres { max(2, accuracy / Circle.radiusOf68) }
}

/// Errors in two directions as a radius.
enum Circle {
  /// In standard deviations of one direction: the radius that holds 68 % of a normal distribution
  /// in the plane, √(−2 ln 0.32).
  static let radiusOf68 = 1.509_6
}
