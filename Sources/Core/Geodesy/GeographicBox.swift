/// A bounding box of latitudes and longitudes (RFC 7946, section 5).
public struct GeographicBox: Hashable, Sendable {
  /// -180...180, east positive; greater than `east` where the box crosses the antimeridian
  /// (RFC 7946, section 5.2).
  public var west: Degrees
  /// -90...90
  public var south: Degrees
  /// -180...180
  public var east: Degrees
  /// -90...90; a box that contains a pole covers all longitudes (RFC 7946, section 5.3).
  public var north: Degrees

  public init(west: Degrees, south: Degrees, east: Degrees, north: Degrees) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  public var crossesAntimeridian: Bool { west > east }

  /// The centre of the box. For the box of a circle, it is the circle's centre.
  public var middle: Coordinate {
    let width = crossesAntimeridian ? east - west + 360 : east - west
    return Coordinate(
      latitude: (south + north) / 2, longitude: Sphere.normalizedLongitude(west + width / 2))
  }

  /// Whether the position is within the box or on its edge. -180 and 180 are the same meridian.
  public func contains(_ position: Coordinate) -> Bool {
    guard position.latitude >= south, position.latitude <= north else { return false }
    if holds(position.longitude) { return true }
    return position.longitude.magnitude == 180 && holds(-position.longitude)
  }

  private func holds(_ longitude: Degrees) -> Bool {
    crossesAntimeridian
      ? longitude >= west || longitude <= east : longitude >= west && longitude <= east
  }
}
