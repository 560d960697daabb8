#if canImport(Glibc)
  import Glibc
#endif

/// Distances and directions on a sphere of the Earth's mean radius: within 0.5 % of the ellipsoid,
/// which is far below a consumer receiver's errors over the distances that tracking needs.
public enum Sphere {
  /// The mean radius of the IUGG, R1 = (2a + b) / 3 for WGS 84.
  public static let radius = Metres(6_371_008.771_4)

  /// The length of a degree of latitude, everywhere, and of a degree of longitude on the equator.
  public static let degree = Metres(radius.value * .pi / 180)

  /// Great-circle distance. The haversine is stable for the shortest distances and at the
  /// antipodes.
  public static func distance(_ a: Coordinate, _ b: Coordinate) -> Metres {
    let phi1 = radians(a.latitude)
    let phi2 = radians(b.latitude)
    let sinHalfPhi = sin((phi2 - phi1) / 2)
    let sinHalfLambda = sin((radians(b.longitude) - radians(a.longitude)) / 2)
    let h = sinHalfPhi * sinHalfPhi + cos(phi1) * cos(phi2) * sinHalfLambda * sinHalfLambda
    return radius * (2 * asin(min(1, h.squareRoot())))
  }

  /// The initial course of the great circle from `a` to `b`, 0..<360 degrees clockwise from north;
  /// 0 where the two positions are equal.
  public static func bearing(from a: Coordinate, to b: Coordinate) -> Degrees {
    let phi1 = radians(a.latitude)
    let phi2 = radians(b.latitude)
    let lambda = radians(b.longitude) - radians(a.longitude)
    let y = sin(lambda) * cos(phi2)
    let x = cos(phi1) * sin(phi2) - sin(phi1) * cos(phi2) * cos(lambda)
    let degrees = atan2(y, x) * 180 / .pi
    return Degrees(degrees < 0 ? degrees + 360 : degrees)
  }

  /// The position at `distance` from `start` on the great circle with the initial course `bearing`.
  public static func destination(
    from start: Coordinate, bearing: Degrees, distance: Metres
  ) -> Coordinate {
    let delta = distance / radius
    let theta = radians(bearing)
    let phi1 = radians(start.latitude)
    let sinPhi2 = sin(phi1) * cos(delta) + cos(phi1) * sin(delta) * cos(theta)
    let lambda2 =
      radians(start.longitude)
      + atan2(sin(theta) * sin(delta) * cos(phi1), cos(delta) - sin(phi1) * sinPhi2)
    return Coordinate(
      latitude: Degrees(asin(max(-1, min(1, sinPhi2))) * 180 / .pi),
      longitude: normalizedLongitude(Degrees(lambda2 * 180 / .pi)))
  }

  /// The position on the other side of the Earth.
  static func antipode(of position: Coordinate) -> Coordinate {
    let longitude = position.longitude
    return Coordinate(
      latitude: -position.latitude, longitude: longitude > 0 ? longitude - 180 : longitude + 180)
  }

  /// The difference of longitudes, the short way round: -180...180, east positive.
  public static func longitudeDifference(from a: Coordinate, to b: Coordinate) -> Degrees {
    normalizedLongitude(b.longitude - a.longitude)
  }

  /// A longitude or a difference of two, wrapped to -180...180. It may be at most 360° outside.
  @inlinable public static func normalizedLongitude(_ degrees: Degrees) -> Degrees {
    if degrees > 180 { return degrees - 360 }
    if degrees < -180 { return degrees + 360 }
    return degrees
  }

  /// Whether an edge runs along a pole: it has no length, but covers many degrees of longitude.
  public static func isAlongPole(from a: Coordinate, to b: Coordinate) -> Bool {
    a.latitude.magnitude == 90 && a.latitude == b.latitude
  }

  static func radians(_ angle: Degrees) -> Double { angle.value * .pi / 180 }
}
