#if canImport(Glibc)
  import Glibc
#endif

/// A position with a normally distributed error: isotropic, and independent in east and north.
public struct CircularError: Hashable, Sendable {
  /// The standard deviation in each of the two directions.
  public let deviation: Metres

  /// The lower limit of the deviation: no receiver is more accurate, and no division is by zero.
  private static let least: Metres = 0.01
  /// Beyond this many deviations the probability is below 2e-8.
  private static let reach = 6.0
  /// From this radius, in deviations, the edge of a circle counts as straight.
  private static let straight = 20.0

  /// - Parameter deviation: finite; raised to a centimetre where it is smaller.
  public init(deviation: Metres) { self.deviation = max(deviation, Self.least) }

  /// The error whose circle of this radius contains the true position with the given probability.
  /// - Parameter probability: between 0 and 1. The distance has a Rayleigh distribution:
  ///   p = 1 - exp(-r² / 2σ²).
  public init(radius: Metres, holding probability: Double) {
    self.init(deviation: radius / (-2 * log1p(-probability)).squareRoot())
  }

  /// - Parameter accuracy: of a location: the radius that contains the true position with 68 %.
  public init(accuracy: Metres) { self.init(radius: accuracy, holding: 0.68) }

  /// The probability density at that distance from the measured position, per square metre.
  public func density(at distance: Metres) -> Double {
    let variance = deviation.value * deviation.value
    return exp(-distance.value * distance.value / (2 * variance)) / (2 * .pi * variance)
  }

  /// The exact probability that the true position is on the near side of a straight edge.
  /// - Parameter signedDistance: from the edge to the measured position, negative on the near side.
  public func probability(withinStraightEdgeAt signedDistance: Metres) -> Double {
    Self.normal(-(signedDistance / deviation))
  }

  /// The probability of being within a circle: a noncentral chi-squared distribution with two
  /// degrees of freedom.
  ///
  /// Green's theorem turns it into a smooth, periodic integral along the circle, so that few points
  /// give it to better than 1e-6. Beyond 20 deviations of radius the edge counts as straight, at
  /// the root of the mean squared distance from the centre: within 2e-4.
  public func probability(inside cap: SphericalCap, measuredAt position: Coordinate) -> Double {
    let radius = cap.radius / deviation
    let distance = Sphere.distance(cap.centre, position) / deviation
    if distance > radius + Self.reach { return 0 }
    if distance < radius - Self.reach { return 1 }
    if radius > Self.straight {
      return Self.normal(radius - (distance * distance + 1).squareRoot())
    }
    let points = 12 + Int(2 * radius)
    var sum = 0.0
    for point in 0...points {
      let cosine = cos(.pi * Double(point) / Double(points))
      let square = radius * radius + distance * distance + 2 * radius * distance * cosine
      let weight = point == 0 || point == points ? 0.5 : 1
      sum += weight * Self.flux(square) * (radius * radius + radius * distance * cosine)
    }
    return min(max(sum / Double(points), 0), 1)
  }

  /// The probability of being within polygons with holes.
  ///
  /// Green's theorem turns it into a sum over their edges. Within reach, each edge gives an
  /// integral of a smooth function (Gauss-Legendre, better than 1e-4 in total). Out of reach, only
  /// the angle that the edge subtends counts. The cost is bounded: 30 values of the exponential
  /// function for a long, near edge, and one for a short one.
  /// - Parameter signedDistance: from the edge of the region to the position, negative inside.
  public func probability(
    inside region: SphericalRegion, measuredAt position: Coordinate, at signedDistance: Metres
  ) -> Double {
    let distance = signedDistance / deviation
    if distance.magnitude > Self.reach { return distance < 0 ? 1 : 0 }
    var sum = 0.0
    region.forEachLine(around: position, within: deviation * Self.reach) { from, to, isNear in
      let a = (x: from.east / deviation, y: from.north / deviation)
      let b = (x: to.east / deviation, y: to.north / deviation)
      sum += isNear ? Self.flux(through: a, b) : Self.angle(a, b)
    }
    // In the plane, a ring around the antipode surrounds the position the other way round.
    let isAntipodeInside = region.contains(Sphere.antipode(of: position))
    return min(max(sum / (2 * .pi) + (isAntipodeInside ? 1 : 0), 0), 1)
  }

  // MARK: Integrals, in deviations

  private typealias Vector = (x: Double, y: Double)

  /// The standard normal distribution function.
  private static func normal(_ value: Double) -> Double { erfc(-value * 0.5.squareRoot()) / 2 }

  /// (1 - exp(-r²/2)) / r²: the outward flux of probability at a distance r from the measured
  /// position, per unit of angle and squared distance. Smooth everywhere, also at 0.
  private static func flux(_ square: Double) -> Double {
    square < 1e-12 ? 0.5 : -expm1(-square / 2) / square
  }

  private static func angle(_ a: Vector, _ b: Vector) -> Double {
    atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
  }

  /// The flux through the line from `a` to `b`: positive to its right.
  private static func flux(through a: Vector, _ b: Vector) -> Double {
    let way = (x: b.x - a.x, y: b.y - a.y)
    let length = (way.x * way.x + way.y * way.y).squareRoot()
    guard length > 0 else { return 0 }
    let direction = (x: way.x / length, y: way.y / length)
    // The distance of the line from the measured position, and the position of its ends along it.
    let offset = a.x * direction.y - a.y * direction.x
    let start = a.x * direction.x + a.y * direction.y
    guard offset.magnitude < reach else { return angle(a, b) }
    let (near, far) = (max(start, -reach), min(start + length, reach))
    guard near < far else { return angle(a, b) }
    let square = offset * offset
    func point(_ along: Double) -> Vector {
      (x: along * direction.x + offset * direction.y, y: along * direction.y - offset * direction.x)
    }
    var sum = offset * integral(from: near, to: far) { flux(square + $0 * $0) }
    if start < near { sum += angle(a, point(near)) }
    if start + length > far { sum += angle(point(far), b) }
    return sum
  }

  /// Gauss-Legendre: one or two points for a short interval, five per two deviations of a longer
  /// one.
  private static func integral(
    from start: Double, to end: Double, _ value: (Double) -> Double
  ) -> Double {
    let length = end - start
    if length < 0.1 { return length * value((start + end) / 2) }
    if length < 0.5 {
      let middle = (start + end) / 2
      let offset = length / 2 * 0.577_350_269_189_626
      return length / 2 * (value(middle - offset) + value(middle + offset))
    }
    let panels = Int((length / 2).rounded(.up))
    let half = length / Double(panels) / 2
    var sum = 0.0
    for panel in 0..<panels {
      let middle = start + half * Double(2 * panel + 1)
      sum += 0.568_888_888_888_889 * value(middle)
      let inner = half * 0.538_469_310_105_683
      sum += 0.478_628_670_499_366 * (value(middle - inner) + value(middle + inner))
      let outer = half * 0.906_179_845_938_664
      sum += 0.236_926_885_056_189 * (value(middle - outer) + value(middle + outer))
    }
    return half * sum
  }
}
