#if canImport(Glibc)
  import Glibc
#endif

/// A position in the earth-centred, earth-fixed frame of WGS 84, as receivers compute it: x towards
/// 0/0, y towards 0/90 east, z towards the north pole.
public struct EarthCentred: Hashable, Sendable {
  var x: Metres
  var y: Metres
  var z: Metres

  /// WGS 84 (NIMA TR8350.2): equatorial radius, and the flattening's inverse.
  private static let radius = 6_378_137.0
  private static let flattening = 1 / 298.257_223_563

  public init(x: Metres, y: Metres, z: Metres) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Latitude and longitude on the ellipsoid and the height above it; nil deep inside the Earth.
  /// Bowring's method (Survey Review 23, 1976) with two iterations: accurate to a micrometre from
  /// the ground to the satellites.
  public var geodetic: (position: Coordinate, height: Metres)? {
    let a = Self.radius
    let b = a * (1 - Self.flattening)
    let squaredEccentricity = Self.flattening * (2 - Self.flattening)
    let secondEccentricity = squaredEccentricity / (1 - squaredEccentricity)
    let fromAxis = (x.value * x.value + y.value * y.value).squareRoot()
    guard (fromAxis * fromAxis + z.value * z.value).squareRoot() > 1e6 else { return nil }
    var reduced = atan2(z.value * a, fromAxis * b)
    var latitude = 0.0
    for _ in 0..<2 {
      let (s, c) = (sin(reduced), cos(reduced))
      latitude = atan2(
        z.value + secondEccentricity * b * s * s * s,
        fromAxis - squaredEccentricity * a * c * c * c)
      reduced = atan2((1 - Self.flattening) * sin(latitude), cos(latitude))
    }
    let (s, c) = (sin(latitude), cos(latitude))
    let curvature = a / (1 - squaredEccentricity * s * s).squareRoot()
    let height = fromAxis * c + z.value * s - a * a / curvature
    guard
      let position = Coordinate(
        checkedLatitude: latitude * 180 / .pi,
        longitude: atan2(y.value, x.value) * 180 / .pi)
    else { return nil }
    return (position, Metres(height))
  }
}
