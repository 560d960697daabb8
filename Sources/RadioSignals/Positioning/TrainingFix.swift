import Core
import Records

/// A fix that is good enough for learning the positions of access points and cells.
public struct TrainingFix: Hashable, Sendable {
  /// The worst accuracy for access points. Fixes under a roof are about this good, and places
  /// without GNSS reception save the most energy; many such fixes together give a good position.
  static let worstAccuracy: Metres = 50
  /// Cells have ranges of kilometres.
  static let worstAccuracyForCells: Metres = 200
  /// A scan takes several seconds: a faster board has moved too far by its end.
  static let fastest: MetresPerSecond = 10

  let time: UTCInstant
  let position: Coordinate
  /// The radius that contains the true position with 68 %.
  let accuracy: Metres
  /// Over ground; nil if it was not measured.
  let speed: MetresPerSecond?

  /// - Returns: nil if it is not usable: too inaccurate even for cells, or without a position.
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

  /// Whether it can be used for learning access points.
  public var isUsableForAccessPoints: Bool {
    accuracy <= Self.worstAccuracy && (speed.map { $0 <= Self.fastest } ?? true)
  }

  /// The standard deviation in each direction; at least 2 m, because no receiver is better over
  /// days.
  var deviation: Metres { max(2, accuracy / Circle.radiusOf68) }
}

/// Errors in two directions, as a radius.
enum Circle {
  /// In standard deviations of one direction: the radius that contains 68 % of a normal
  /// distribution in the plane, √(−2 ln 0.32).
  static let radiusOf68 = 1.509_6
}
