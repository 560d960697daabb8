import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Polygons with holes on the sphere, prepared for many questions: built once, asked without
/// allocating anything.
///
/// Every edge is kept as pieces that are straight in space, 32 to a bundle with a ball around it,
/// so that a question looks into few bundles only. Edges are within 0.1 m of straight lines in
/// longitude and latitude (RFC 7946, section 3.1.1), and distances to them those of `Sphere`.
public struct SphericalRegion: Sendable {
  /// A polygon: one outer ring, and the rings of its holes, in any orientation, closed or not.
  public typealias Rings = (outer: [Coordinate], holes: [[Coordinate]])

  /// 32 pieces at most, each going on where the one before it ends, and a ball around them.
  private struct Bundle {
    var centre: UnitVector
    var radius: Double
    var range: Range<Int>
  }

  /// What a meridian is asked for: an edge, and where it begins and ends.
  private struct Crossing {
    var from: Coordinate
    var to: Coordinate
  }

  /// Neighbouring edges, and the longitudes that they are within.
  private struct Sector {
    var middle: Double
    var half: Double
    var range: Range<Int>
  }

  private static let bundleSize = 32

  private var walls: [SphericalWall] = []
  private var bundles: [Bundle] = []
  private var crossings: [Crossing] = []
  private var sectors: [Sector] = []
  private var hasNorthPole = false
  public let box: GeographicBox
  /// Of the polygons without their holes.
  public let area: SquareMetres

  /// The rings must be simple and apart from each other; nothing is checked here.
  public init(_ polygons: [Rings]) {
    var rings: [SphericalRing] = []
    var area = 0.0
    for polygon in polygons {
      for (index, corners) in ([polygon.outer] + polygon.holes).enumerated() {
        var ring = SphericalRing(corners)
        ring.orient(left: index == 0)
        area += ring.signedArea
        if ring.hasNorthPole { hasNorthPole.toggle() }
        rings.append(ring)
      }
    }
    self.area = SquareMetres(max(0, area) * Sphere.radius.value * Sphere.radius.value)
    box = RegionExtent(of: rings).box
    for ring in rings { addCrossings(of: ring) }
    walls = SphericalWall.walls(of: rings.flatMap(\.edges))
    addBundles()
  }

  /// Whether the inside of a ring is on the left hand of who goes along it, as RFC 7946, section
  /// 3.1.6, wants it of outer rings.
  public static func isInsideLeft(of ring: [Coordinate]) -> Bool {
    SphericalRing(ring).signedArea >= 0
  }

  private mutating func addCrossings(of ring: SphericalRing) {
    let first = crossings.count
    for edge in ring.edges where edge.turn != 0 {
      // What is longer than a quarter of the way round is cut, so that it is clear which way.
      let parts = max(1, Int((edge.turn.magnitude / 90).rounded(.up)))
      var from = edge.from
      for part in 1...parts {
        let to = edge.position(at: Double(part) / Double(parts))
        crossings.append(Crossing(from: from, to: to))
        from = to
      }
    }
    for start in stride(from: first, to: crossings.count, by: Self.bundleSize) {
      let range = start..<min(start + Self.bundleSize, crossings.count)
      let origin = crossings[start].from.longitude.value
      var west = 0.0
      var east = 0.0
      var reached = 0.0
      for index in range {
        reached += Self.turned(
          crossings[index].to.longitude.value - crossings[index].from.longitude.value)
        west = min(west, reached)
        east = max(east, reached)
      }
      sectors.append(
        Sector(middle: origin + (west + east) / 2, half: (east - west) / 2 + 1e-9, range: range))
    }
  }

  private mutating func addBundles() {
    var start = 0
    while start < walls.count {
      // A chain: each piece begins where the one before it has ended.
      var end = start + 1
      while end < walls.count, end - start < Self.bundleSize,
        (walls[end].start - walls[end - 1].end).squaredLength < 1e-30
      {
        end += 1
      }
      let range = start..<end
      start = end
      var centre = UnitVector(x: 0, y: 0, z: 0)
      for index in range { centre = centre + walls[index].start }
      centre = centre * (1 / Double(range.count))
      var radius = 0.0
      for index in range {
        radius = max(
          radius, (walls[index].start - centre).length, (walls[index].end - centre).length)
      }
      bundles.append(Bundle(centre: centre, radius: radius, range: range))
    }
  }

  /// A difference of longitudes, -180..<180.
  @inline(__always)
  private static func turned(_ degrees: Double) -> Double {
    if degrees >= 180 { return degrees >= 540 ? wrapped(degrees) : degrees - 360 }
    if degrees < -180 { return degrees < -540 ? wrapped(degrees) : degrees + 360 }
    return degrees
  }

  private static func wrapped(_ degrees: Double) -> Double {
    degrees - 360 * ((degrees + 180) / 360).rounded(.down)
  }

  // MARK: Questions

  /// From a position to the nearest edge: negative inside.
  public func signedDistance(from position: Coordinate) -> Metres {
    let distance = distanceToEdge(from: position)
    return contains(position) ? -distance : distance
  }

  /// Whether the position is inside: how often its meridian crosses edges on the way to the north
  /// pole.
  public func contains(_ position: Coordinate) -> Bool {
    let longitude = position.longitude.value
    // From the pole itself no way leads north.
    let latitude = min(position.latitude.value, 90 - 1e-9)
    var isInside = hasNorthPole
    for sector in sectors
    where Self.turned(sector.middle - longitude).magnitude <= sector.half || sector.half >= 180 {
      for index in sector.range {
        let crossing = crossings[index]
        let from = Self.turned(crossing.from.longitude.value - longitude)
        let to = Self.turned(crossing.to.longitude.value - longitude)
        guard (from < 0) != (to < 0), (from - to).magnitude < 180 else { continue }
        let rise = crossing.to.latitude.value - crossing.from.latitude.value
        if crossing.from.latitude.value + rise * from / (from - to) > latitude { isInside.toggle() }
      }
    }
    return isInside
  }

  /// To the nearest edge, inside as outside.
  private func distanceToEdge(from position: Coordinate) -> Metres {
    let point = UnitVector(position)
    // The ball whose far side is nearest bounds the distance; most others are farther away.
    var bound = Double.infinity
    for bundle in bundles { bound = min(bound, (point - bundle.centre).length + bundle.radius) }
    var square = bound * bound * (1 + 1e-9)
    var nearest: (wall: Int, part: Double)?
    for bundle in bundles {
      let reach = square.squareRoot() + bundle.radius
      guard (point - bundle.centre).squaredLength <= reach * reach else { continue }
      for index in bundle.range {
        let candidate = walls[index].nearest(to: point)
        if candidate.square <= square {
          square = candidate.square
          nearest = (index, candidate.part)
        }
      }
    }
    guard let nearest else { return Sphere.radius * .pi }
    // A chord runs below the surface: its point is lifted, or a position on an edge would be as far
    // from it as the edge is deep.
    let deep = walls[nearest.wall].start + walls[nearest.wall].way * nearest.part
    return point.distance(to: deep * (1 / deep.length))
  }

  /// The edges as lines in the plane that touches the Earth at a position, in metres from there;
  /// the inside is on the left hand. What is farther away than `reach` comes as fewer, longer lines
  /// in the same directions.
  /// - Parameter isNear: whether the line itself is where the edge is, not its direction only.
  func forEachLine(
    around position: Coordinate, within reach: Metres,
    _ body: (_ from: LocalPlane.Point, _ to: LocalPlane.Point, _ isNear: Bool) -> Void
  ) {
    let plane = TangentPlane(at: position)
    let limit = reach / Sphere.radius
    for bundle in bundles {
      let centre = plane.offset(bundle.centre)
      let free = limit + bundle.radius
      if centre.east * centre.east + centre.north * centre.north > free * free {
        // A chain that leaves the position on one side ends where its ends are.
        let (first, last) = (walls[bundle.range.first!], walls[bundle.range.last!])
        body(plane.metres(first.start), plane.metres(last.end), false)
        continue
      }
      for wall in walls[bundle.range] {
        body(
          plane.metres(wall.start), plane.metres(wall.end), plane.isOnThisSide(wall.start))
      }
    }
  }
}
