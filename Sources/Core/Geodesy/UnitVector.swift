#if canImport(Glibc)
  import Glibc
#endif

/// A position on the sphere as a vector of length 1. Poles and antimeridian need no special case.
struct UnitVector {
  var x: Double
  var y: Double
  var z: Double

  init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  init(_ position: Coordinate) {
    let phi = Sphere.radians(position.latitude)
    let lambda = Sphere.radians(position.longitude)
    self.init(x: cos(phi) * cos(lambda), y: cos(phi) * sin(lambda), z: sin(phi))
  }

  static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  static func * (a: Self, k: Double) -> Self { Self(x: a.x * k, y: a.y * k, z: a.z * k) }

  func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }
  var squaredLength: Double { dot(self) }
  var length: Double { squaredLength.squareRoot() }

  /// The distance along the surface between two points of the sphere.
  func distance(to other: Self) -> Metres {
    Sphere.radius * (2 * asin(min(1, (self - other).length / 2)))
  }
}

/// The tangent plane at one position: east and north of nearby points.
struct TangentPlane {
  private let up: UnitVector
  private let east: UnitVector
  private let north: UnitVector

  init(at position: Coordinate) {
    let phi = Sphere.radians(position.latitude)
    let lambda = Sphere.radians(position.longitude)
    up = UnitVector(position)
    east = UnitVector(x: -sin(lambda), y: cos(lambda), z: 0)
    north = UnitVector(x: -sin(phi) * cos(lambda), y: -sin(phi) * sin(lambda), z: cos(phi))
  }

  /// In radii of the sphere. Directions are exact everywhere; a distance d is short by d³/6.
  func offset(_ vector: UnitVector) -> (east: Double, north: Double) {
    (vector.dot(east), vector.dot(north))
  }

  func metres(_ vector: UnitVector) -> LocalPlane.Point {
    LocalPlane.Point(
      east: Sphere.radius * vector.dot(east), north: Sphere.radius * vector.dot(north))
  }

  /// Whether a point is on the hemisphere around the position; others project from below.
  func isOnThisSide(_ vector: UnitVector) -> Bool { vector.dot(up) > 0 }
}
