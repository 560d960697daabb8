#if canImport(Glibc)
  import Glibc
#endif

/// Polygons with holes on the sphere, prepared for many queries: built once, queried without
/// allocations.
///
/// Every edge is stored as straight chords, 32 to a bundle with a bounding sphere, so that a query
/// examines few bundles only. Edges are within 0.1 m of straight lines in longitude and latitude
/// (RFC 7946, section 3.1.1). Distances to them are those of `Sphere`.
///
/// A corner takes 23 bytes: stored values are rounded to centimetres, below any receiver's
/// accuracy.
public struct SphericalRegion: Sendable {
  /// A polygon: one outer ring, and the rings of its holes, in any orientation, closed or not.
  public typealias Rings = (outer: [Coordinate], holes: [[Coordinate]])

  /// At most 32 consecutive chords, and their bounding sphere.
  private struct Bundle {
    var centre: UnitVector
    var radius: Double
    /// The ends of its chords: one more than there are chords.
    var range: Range<Int>
  }

  /// The end of a chord, relative to the centre of its bundle: to 2 mm in a bundle 70 km wide.
  private struct End {
    var x: Float
    var y: Float
    var z: Float

    init(_ vector: UnitVector) {
      x = Float(vector.x)
      y = Float(vector.y)
      z = Float(vector.z)
    }

    var vector: UnitVector { UnitVector(x: Double(x), y: Double(y), z: Double(z)) }
  }

  /// A corner, in units of 1e-7 degrees (11 mm).
  private struct Corner {
    private static let unit = 1e-7

    private var eastings: Int32
    private var northings: Int32

    init(_ position: Coordinate) {
      eastings = Int32((position.longitude.value / Self.unit).rounded())
      northings = Int32((position.latitude.value / Self.unit).rounded())
    }

    var longitude: Double { Double(eastings) * Self.unit }
    var latitude: Double { Double(northings) * Self.unit }
  }

  /// Consecutive edges, and the longitudes that they cover.
  private struct Sector {
    var middle: Double
    var half: Double
    /// The corners of its edges: one more than there are edges.
    var range: Range<Int>
  }

  /// The limit of chords for edges of any length. A region with more than half as many corners has
  /// two chords for each corner.
  public static let maxChords = 8192

  private static let bundleSize = 32

  private var ends: [End] = []
  private var bundles: [Bundle] = []
  private var corners: [Corner] = []
  private var sectors: [Sector] = []
  private var hasNorthPole = false
  public let box: GeographicBox
  /// The area of the polygons without their holes.
  public let area: SquareMetres

  /// The rings must be simple and must not intersect each other; this is not checked.
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
    for ring in rings { addSectors(of: ring) }
    addBundles(of: SphericalChord.chords(of: rings.flatMap(\.edges)))
  }

  /// Whether the inside of a ring is on the left along its direction, as RFC 7946, section 3.1.6,
  /// requires of outer rings.
  public static func isInsideLeft(of ring: [Coordinate]) -> Bool {
    SphericalRing(ring).signedArea >= 0
  }

  /// Adds the edges that `contains` intersects with a meridian.
  private mutating func addSectors(of ring: SphericalRing) {
    var chain: [Corner] = []
    for edge in ring.edges {
      // An edge longer than 90° of longitude is cut, so that its direction is unambiguous.
      let parts = max(1, Int((edge.turn.magnitude / 90).rounded(.up)))
      for part in 0..<parts {
        chain.append(Corner(edge.position(at: Double(part) / Double(parts))))
      }
    }
    guard let last = ring.edges.last else { return }
    chain.append(Corner(last.to))
    for start in stride(from: 0, to: chain.count - 1, by: Self.bundleSize) {
      addSector(chain[start...min(start + Self.bundleSize, chain.count - 1)])
    }
  }

  private mutating func addSector(_ chain: ArraySlice<Corner>) {
    guard let first = chain.first else { return }
    let range = corners.count..<corners.count + chain.count
    corners += chain
    var west = 0.0
    var east = 0.0
    var reached = 0.0
    for (from, to) in zip(chain, chain.dropFirst()) {
      reached += Self.turned(to.longitude - from.longitude)
      west = min(west, reached)
      east = max(east, reached)
    }
    sectors.append(
      Sector(
        middle: first.longitude + (west + east) / 2, half: (east - west) / 2 + 1e-9, range: range))
  }

  private mutating func addBundles(of walls: [SphericalChord]) {
    var start = 0
    while start < walls.count {
      // A chain: each chord begins at the end of the one before it.
      var end = start + 1
      while end < walls.count, end - start < Self.bundleSize,
        (walls[end].start - walls[end - 1].end).squaredLength < 1e-30
      {
        end += 1
      }
      let chain = walls[start..<end]
      start = end
      var centre = UnitVector(x: 0, y: 0, z: 0)
      for wall in chain { centre = centre + wall.start }
      centre = centre * (1 / Double(chain.count))
      let first = ends.count
      ends.append(End(walls[chain.startIndex].start - centre))
      for wall in chain { ends.append(End(wall.end - centre)) }
      let radius = ends[first...].reduce(0.0) { max($0, $1.vector.length) }
      bundles.append(Bundle(centre: centre, radius: radius, range: first..<ends.count))
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

  // MARK: Queries

  /// The distance to the nearest edge: negative inside.
  public func signedDistance(from position: Coordinate) -> Metres {
    let distance = distanceToEdge(from: position)
    return contains(position) ? -distance : distance
  }

  /// Whether the position is inside. Counts the edges that its meridian crosses on the way to the
  /// north pole.
  public func contains(_ position: Coordinate) -> Bool {
    let longitude = position.longitude.value
    // At the pole itself there is no way north.
    let latitude = min(position.latitude.value, 90 - 1e-9)
    var isInside = hasNorthPole
    for sector in sectors
    where Self.turned(sector.middle - longitude).magnitude <= sector.half || sector.half >= 180 {
      var previous = corners[sector.range.lowerBound]
      var from = Self.turned(previous.longitude - longitude)
      for corner in corners[sector.range].dropFirst() {
        let to = Self.turned(corner.longitude - longitude)
        defer { (previous, from) = (corner, to) }
        guard (from < 0) != (to < 0), (from - to).magnitude < 180 else { continue }
        let rise = corner.latitude - previous.latitude
        if previous.latitude + rise * from / (from - to) > latitude { isInside.toggle() }
      }
    }
    return isInside
  }

  /// The distance to the nearest edge, inside and outside alike.
  private func distanceToEdge(from position: Coordinate) -> Metres {
    let point = UnitVector(position)
    // The smallest distance to the far side of a sphere is an upper bound; most spheres are beyond
    // it.
    var bound = Double.infinity
    for bundle in bundles { bound = min(bound, (point - bundle.centre).length + bundle.radius) }
    var square = bound * bound * (1 + 1e-9)
    var nearest: UnitVector?
    for bundle in bundles {
      let reach = square.squareRoot() + bundle.radius
      let offset = point - bundle.centre
      guard offset.squaredLength <= reach * reach else { continue }
      var start = ends[bundle.range.lowerBound].vector
      for next in ends[bundle.range].dropFirst() {
        let end = next.vector
        let wall = SphericalChord(from: start, to: end)
        start = end
        let candidate = wall.nearest(to: offset)
        if candidate.square <= square {
          square = candidate.square
          nearest = bundle.centre + wall.start + wall.way * candidate.part
        }
      }
    }
    guard let nearest else { return Sphere.radius * .pi }
    // A chord runs below the surface. Its nearest point is lifted to the surface; otherwise a
    // position on an edge would have the chord's depth as its distance.
    return point.distance(to: nearest * (1 / nearest.length))
  }

  /// The edges as lines in the tangent plane at a position, in metres from there. The inside is on
  /// the left. Edges farther away than `reach` are passed as fewer, longer lines with the same
  /// angles.
  /// - Parameter isNear: whether the line itself is accurate, and not only the angle that it
  ///   subtends.
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
        // Outside the bundle's sphere, only the ends of a chain determine its angle.
        body(
          plane.metres(end(bundle.range.lowerBound, of: bundle)),
          plane.metres(end(bundle.range.upperBound - 1, of: bundle)), false)
        continue
      }
      var start = end(bundle.range.lowerBound, of: bundle)
      for index in bundle.range.dropFirst() {
        let next = end(index, of: bundle)
        body(plane.metres(start), plane.metres(next), plane.isOnThisSide(start))
        start = next
      }
    }
  }

  @inline(__always)
  private func end(_ index: Int, of bundle: Bundle) -> UnitVector {
    bundle.centre + ends[index].vector
  }
}
