/// A chord of the unit sphere that is close enough to its part of an edge.
struct SphericalChord {
  /// The largest distance of a chord from its edge, in radii of the sphere: 0.1 m.
  static let tolerance = 0.1 / Sphere.radius.value
  /// The limit of chords for one region, which bounds time and memory for any drawing. Beyond it,
  /// as with edges of 18,000 km and more in total, the chords get longer and follow their edges
  /// less exactly.
  static let limit = SphericalRegion.maxChords

  let start: UnitVector
  let way: UnitVector
  private let inverse: Double

  init(from start: UnitVector, to end: UnitVector) {
    self.start = start
    way = end - start
    let square = way.squaredLength
    inverse = square > 0 ? 1 / square : 0
  }

  var end: UnitVector { start + way }

  /// The fraction of the chord, 0...1, that is nearest to a point, and the squared distance to
  /// there.
  @inline(__always)
  func nearest(to point: UnitVector) -> (part: Double, square: Double) {
    let offset = point - start
    let part = min(max(offset.dot(way) * inverse, 0), 1)
    return (part, (offset - way * part).squaredLength)
  }

  /// The chords of edges. Two edges that run along each other in opposite directions are left out:
  /// the inside is on both sides of them. They occur where RFC 7946, section 3.1.9, cuts a polygon
  /// at the antimeridian, and on the border between two parts of one region.
  static func chords(of edges: [SphericalRing.Edge]) -> [SphericalChord] {
    let outer = withoutPairs(edges.filter { !$0.isPolar })
    let bends = outer.map { bend(of: $0) }
    var tolerance = tolerance
    while pieces(bends, tolerance) > max(limit, 2 * outer.count) { tolerance *= 4 }
    var walls: [SphericalChord] = []
    walls.reserveCapacity(pieces(bends, tolerance))
    for (edge, bend) in zip(outer, bends) {
      let count = pieces(bend, tolerance)
      var start = UnitVector(edge.from)
      for piece in 1...count {
        let end = UnitVector(edge.position(at: Double(piece) / Double(count)))
        if (end - start).squaredLength > 0 { walls.append(SphericalChord(from: start, to: end)) }
        start = end
      }
    }
    return walls
  }

  private static func pieces(_ bends: [Double], _ tolerance: Double) -> Int {
    bends.reduce(0) { $0 + pieces($1, tolerance) }
  }

  /// The distance from a chord to its curve falls with the square of the number of chords.
  private static func pieces(_ bend: Double, _ tolerance: Double) -> Int {
    max(1, Int((bend / tolerance).squareRoot().rounded(.up)))
  }

  /// How far an edge is from its chord: at the middle, or, for one shaped like an S, at a quarter,
  /// where a simple arc has three quarters of its height.
  private static func bend(of edge: SphericalRing.Edge) -> Double {
    let start = UnitVector(edge.from)
    let way = UnitVector(edge.to) - start
    let middle = (UnitVector(edge.position(at: 0.5)) - start - way * 0.5).length
    let quarter = (UnitVector(edge.position(at: 0.25)) - start - way * 0.25).length
    return max(middle, quarter * 4 / 3)
  }

  // MARK: Edges with the inside on both sides

  private struct Path: Hashable {
    let numbers: SIMD4<Int64>

    /// -180 and 180 are the same meridian; positions closer than a micrometre are equal.
    init(_ a: Coordinate, _ b: Coordinate) {
      func longitude(_ c: Coordinate) -> Double {
        c.longitude.value == 180 ? -180 : c.longitude.value
      }
      let values = SIMD4(longitude(a), a.latitude.value, longitude(b), b.latitude.value)
      numbers = SIMD4<Int64>((values * 1e11).rounded(.toNearestOrEven))
    }
  }

  private static func withoutPairs(_ edges: [SphericalRing.Edge]) -> [SphericalRing.Edge] {
    let paths = Set(edges.map { Path($0.from, $0.to) })
    return edges.filter { !paths.contains(Path($0.to, $0.from)) }
  }
}
