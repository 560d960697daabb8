/// A box of latitudes and longitudes, as RFC 7946, section 5, writes a bounding box.
public struct GeographicBox: Hashable, Sendable {
  /// -180...180, east positive; greater than `east` where the box crosses the antimeridian
  /// (RFC 7946, section 5.2).
  public var west: Degrees
  /// -90...90
  public var south: Degrees
  /// -180...180
  public var east: Degrees
  /// -90...90; a box that contains a pole has all longitudes (RFC 7946, section 5.3).
  public var north: Degrees

  public init(west: Degrees, south: Degrees, east: Degrees, north: Degrees) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  public var crossesAntimeridian: Bool { west > east }

  /// Of a circle it is the centre.
  public var middle: Coordinate {
    let width = crossesAntimeridian ? east - west + 360 : east - west
    return Coordinate(
      latitude: (south + north) / 2, longitude: Sphere.shortWay(west + width / 2))
  }

  /// Whether the position is within the box or on its edge. The two names of the antimeridian,
  /// -180 and 180, are one.
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
