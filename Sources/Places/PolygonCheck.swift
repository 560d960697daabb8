import Core

/// Checks that the rings of a perimeter are closed, simple, and correctly nested and separated.
enum PolygonCheck {
  /// Rings may touch each other: a point within this distance of an edge counts as on it.
  private static let touch: Metres = 0.05
  /// The number of corners tested to find one that is not on the edge of another ring.
  private static let looks = 8

  static func check(_ polygons: [PerimeterPolygon]) throws(PlaceError) {
    try count(polygons)
    var crossings = RingCrossings()
    for (index, polygon) in polygons.enumerated() {
      for (ring, corners) in polygon.rings.enumerated() {
        let path = path(of: ring, in: index)
        try check(corners, at: path)
        crossings.add(corners, at: path)
      }
    }
    try crossings.check()
    try areas(polygons)
    try holes(polygons)
    try apart(polygons)
  }

  /// - Parameter ring: its index in `PerimeterPolygon.rings`.
  private static func path(of ring: Int, in polygon: Int) -> String {
    "polygons[\(polygon)].\(ring == 0 ? "outer" : "holes[\(ring - 1)]")"
  }

  private static func count(_ polygons: [PerimeterPolygon]) throws(PlaceError) {
    func limit(_ count: Int, _ max: Int, _ noun: String) throws(PlaceError) {
      guard count <= max else {
        let found = Counted.text(count, noun)
        throw PlaceError(.tooMany, at: "polygons", "\(found): simplify it to at most \(max)")
      }
    }
    guard !polygons.isEmpty else {
      throw PlaceError(.missing, at: "polygons", "it is missing: draw one, or set a radius")
    }
    try limit(polygons.count, PlaceLimits.polygons, "polygon")
    try limit(polygons.reduce(0) { $0 + 1 + $1.holes.count }, PlaceLimits.rings, "ring")
    let corners = polygons.reduce(0) { sum, polygon in
      polygon.holes.reduce(sum + polygon.outer.count) { $0 + $1.count }
    }
    try limit(corners, PlaceLimits.corners, "corner")
  }

  // MARK: Each ring

  private static func check(_ corners: [Coordinate], at path: String) throws(PlaceError) {
    for (index, corner) in corners.enumerated() {
      try PlaceCheck.check(corner, at: "\(path)[\(index)]")
    }
    guard corners.first == corners.last else {
      throw PlaceError(
        .openRing, at: path, "the ring is open: repeat its first position as its last")
    }
    let count = zip(corners, corners.dropFirst()).count { $0 != $1 }
    guard count >= 3 else {
      throw PlaceError(
        .shortRing, at: path,
        "\(Counted.text(count, "corner")): a ring needs at least three, and the first of them "
          + "again at its end")
    }
    for (index, (from, to)) in zip(corners, corners.dropFirst()).enumerated() {
      guard
        Sphere.isAlongPole(from: from, to: to)
          || Sphere.longitudeDifference(from: from, to: to).magnitude < 180
      else {
        throw PlaceError(
          .malformed, at: "\(path)[\(index)]",
          "the edge spans half of the Earth, so its side is ambiguous: add a corner")
      }
    }
  }

  private static func areas(_ polygons: [PerimeterPolygon]) throws(PlaceError) {
    for (index, polygon) in polygons.enumerated() {
      for (ring, corners) in polygon.rings.enumerated() {
        guard SphericalRegion([(corners, [])]).area < 0.01 else { continue }
        throw PlaceError(
          .notSimple, at: path(of: ring, in: index),
          "the ring encloses no area: draw it around an area")
      }
    }
  }

  // MARK: Rings and each other

  /// Rings do not cross, so one corner decides for the whole ring.
  private static func holes(_ polygons: [PerimeterPolygon]) throws(PlaceError) {
    for (index, polygon) in polygons.enumerated() where !polygon.holes.isEmpty {
      let outer = SphericalRegion([(polygon.outer, [])])
      let holes = polygon.holes.map { SphericalRegion([($0, [])]) }
      for (hole, corners) in polygon.holes.enumerated() {
        let path = path(of: hole + 1, in: index)
        guard !corners.contains(where: { outer.signedDistance(from: $0) > touch }) else {
          throw PlaceError(
            .strayHole, at: path,
            "the hole is outside its outer ring: remove it, or move it to the right polygon")
        }
        let others = holes.indices.filter { $0 != hole }
        guard let other = others.first(where: { isWithin(corners, holes[$0]) }) else { continue }
        throw PlaceError(
          .strayHole, at: path,
          "the hole is within holes[\(other)]: remove it, or make it a polygon")
      }
    }
  }

  private static func apart(_ polygons: [PerimeterPolygon]) throws(PlaceError) {
    guard polygons.count > 1 else { return }
    let regions = polygons.map { SphericalRegion([($0.outer, $0.holes)]) }
    for (index, polygon) in polygons.enumerated() {
      let others = regions.indices.filter { $0 != index }
      guard let other = others.first(where: { isWithin(polygon.outer, regions[$0]) }) else {
        continue
      }
      throw PlaceError(
        .overlapping, at: "polygons[\(index)]",
        "it is within polygons[\(other)] already: remove one of the two")
    }
  }

  private static func isWithin(_ corners: [Coordinate], _ region: SphericalRegion) -> Bool {
    corners.prefix(looks).contains {
      region.box.contains($0) && region.signedDistance(from: $0) < -touch
    }
  }
}
