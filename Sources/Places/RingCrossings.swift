import Core

/// Finds the edges of rings that cross each other, sweeping from south to north.
///
/// Ordinary rings take little more than the sorting. In the worst case, where every edge is as high
/// as the whole, every pair is compared: 0.2 billion comparisons at 20,000 corners, one or two
/// seconds on a desktop.
struct RingCrossings {
  /// An edge in the plane of longitude and latitude.
  private struct Edge {
    /// Start, with its original coordinates, and end; the end's longitude may exceed 180.
    var from: SIMD2<Double>
    var to: SIMD2<Double>
    var ring: Int
    /// Its number within the ring.
    var number: Int

    var middle: Double { (from.x + to.x) / 2 }
    var halfWidth: Double { (from.x - to.x).magnitude / 2 }
    var south: Double { min(from.y, to.y) }
    var north: Double { max(from.y, to.y) }
  }

  private var edges: [Edge] = []
  private var paths: [String] = []
  private var counts: [Int] = []

  mutating func add(_ corners: [Coordinate], at path: String) {
    var number = 0
    for (a, b) in zip(corners, corners.dropFirst()) {
      let turn = Sphere.longitudeDifference(from: a, to: b).value
      // An edge along a pole crosses nothing: it is the edge of the map.
      guard !Sphere.isAlongPole(from: a, to: b), turn != 0 || a.latitude != b.latitude else {
        continue
      }
      let from = SIMD2(a.longitude.value, a.latitude.value)
      edges.append(
        Edge(
          from: from, to: SIMD2(from.x + turn, b.latitude.value), ring: paths.count,
          number: number))
      number += 1
    }
    paths.append(path)
    counts.append(number)
  }

  func check() throws(PlaceError) {
    let sorted = edges.sorted { $0.south < $1.south }
    for (index, edge) in sorted.enumerated() {
      let north = edge.north
      for other in sorted[(index + 1)...] {
        if other.south > north { break }
        guard cross(edge, other) else { continue }
        throw error(edge, other)
      }
    }
  }

  private func cross(_ a: Edge, _ b: Edge) -> Bool {
    // The longitudes of one position may differ by 360.
    let apart = b.middle - a.middle
    let shift = apart > 180 ? -360.0 : apart < -180 ? 360 : 0
    guard (apart + shift).magnitude <= a.halfWidth + b.halfWidth else { return false }
    let from = SIMD2(b.from.x + shift, b.from.y)
    let to = SIMD2(b.to.x + shift, b.to.y)
    let steps = (a.number - b.number).magnitude
    let areNeighbours = a.ring == b.ring && (steps == 1 || steps == counts[a.ring] - 1)
    // A ring that is cut at the antimeridian touches itself there, and rings may touch each other.
    guard a.ring == b.ring, shift == 0 else {
      // If neighbours differ by 360, rounding moves their common corner.
      return !areNeighbours && Self.cross(a.from, a.to, from, to, touching: false)
    }
    guard areNeighbours else { return Self.cross(a.from, a.to, from, to, touching: true) }
    // Neighbours share a corner. They cross only if one goes back along the other.
    let (u, v) = (a.to - a.from, to - from)
    return u.x * v.y == u.y * v.x && (u * v).sum() < 0
  }

  private static func cross(
    _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>, _ d: SIMD2<Double>, touching: Bool
  ) -> Bool {
    let sides = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b))
    if sides.0 * sides.1 < 0, sides.2 * sides.3 < 0 { return true }
    guard touching else { return false }
    return sides.0 == 0 && holds(a, b, c) || sides.1 == 0 && holds(a, b, d)
      || sides.2 == 0 && holds(c, d, a) || sides.3 == 0 && holds(c, d, b)
  }

  /// Positive where `c` is to the left of the line from `a` to `b`.
  private static func side(
    _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>
  ) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// Whether a point of the line through two others lies between them.
  private static func holds(
    _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ point: SIMD2<Double>
  ) -> Bool {
    all(pointwiseMin(a, b) .<= point) && all(point .<= pointwiseMax(a, b))
  }

  private func error(_ a: Edge, _ b: Edge) -> PlaceError {
    let place = "near latitude \(a.from.y), longitude \(a.from.x)"
    guard a.ring != b.ring else {
      return PlaceError(
        .notSimple, at: paths[a.ring],
        "the ring crosses or touches itself \(place): move a corner there, or divide it")
    }
    let (first, second) = (min(a.ring, b.ring), max(a.ring, b.ring))
    return PlaceError(
      .crossing, at: paths[second],
      "the ring crosses \(paths[first]) \(place): separate them, or draw them as one")
  }
}
