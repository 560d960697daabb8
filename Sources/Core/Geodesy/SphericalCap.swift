#if canImport(Glibc)
  import Glibc
#endif

/// A circle on the sphere: everything within a radius around a position.
public struct SphericalCap: Hashable, Sendable {
  public let centre: Coordinate
  /// Along the surface; more than 0, at most a quarter of the Earth's circumference.
  public let radius: Metres

  public init(centre: Coordinate, radius: Metres) {
    self.centre = centre
    self.radius = radius
  }

  /// The distance from the edge: negative inside.
  public func signedDistance(from position: Coordinate) -> Metres {
    Sphere.distance(centre, position) - radius
  }

  /// The area of the cap on the sphere.
  public var area: SquareMetres {
    let half = sin(radius / Sphere.radius / 2)
    return SquareMetres(4 * .pi * Sphere.radius.value * Sphere.radius.value * half * half)
  }

  public var box: GeographicBox {
    let reach = radius / Sphere.degree
    let south = centre.latitude.value - reach
    let north = centre.latitude.value + reach
    guard south > -90, north < 90 else {
      return GeographicBox(
        west: -180, south: Degrees(max(south, -90)), east: 180, north: Degrees(min(north, 90)))
    }
    // The longitude at which a meridian touches the circle: the sine rule of the spherical triangle
    // with the pole.
    let sine = sin(radius / Sphere.radius) / cos(Sphere.radians(centre.latitude))
    let width = asin(min(1, sine)) * 180 / .pi
    return GeographicBox(
      west: Sphere.normalizedLongitude(Degrees(centre.longitude.value - width)),
      south: Degrees(south),
      east: Sphere.normalizedLongitude(Degrees(centre.longitude.value + width)),
      north: Degrees(north))
  }
}
