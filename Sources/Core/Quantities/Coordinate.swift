/// A position on the WGS 84 ellipsoid.
@frozen public struct Coordinate: Hashable, Sendable {
  /// -90...90, north positive.
  public var latitude: Degrees
  /// -180...180, east positive.
  public var longitude: Degrees

  @inlinable public init(latitude: Degrees, longitude: Degrees) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// A position from unchecked numbers: nil unless both are finite and in range.
  @inlinable public init?(checkedLatitude latitude: Double, longitude: Double) {
    guard latitude.magnitude <= 90, longitude.magnitude <= 180 else { return nil }
    self.init(latitude: Degrees(latitude), longitude: Degrees(longitude))
  }

  /// Exactly 0/0, "Null Island": what receivers send when they have no position.
  @inlinable public var isNullIsland: Bool { latitude.value == 0 && longitude.value == 0 }
}
