import Core
import Places

/// Polygons reduced to a point or a circle, for files that allow nothing else.
enum PolygonCircle {
  /// A finer grid gives no better point for drawn polygons.
  private static let grid = 9
  /// Each step moves the centre nearer to the best one: after these it is within a few per cent.
  private static let steps = 64

  /// A position that represents the polygons, which have been validated: the middle of their box;
  /// or, if that is outside, the innermost position of a grid.
  static func inside(_ polygons: [PerimeterPolygon]) -> Coordinate {
    let start = polygons.first?.outer.first ?? Coordinate(latitude: 0, longitude: 0)
    let region = PlaceRegion(.polygons(polygons), around: start)
    let middle = position(in: region.box, 0.5, 0.5)
    guard !region.contains(middle) else { return middle }
    var best = (position: middle, distance: Metres(0))
    for row in 1...grid {
      for column in 1...grid {
        let candidate = position(
          in: region.box, Double(column) / Double(grid + 1), Double(row) / Double(grid + 1))
        let distance = region.signedDistance(from: candidate)
        if distance < best.distance { best = (candidate, distance) }
      }
    }
    // A sliver may pass between all of them: then a corner is better than the middle.
    return best.distance < 0 ? best.position : start
  }

  private static func position(
    in box: GeographicBox, _ east: Double, _ north: Double
  ) -> Coordinate {
    let width = box.crossesAntimeridian ? box.east - box.west + 360 : box.east - box.west
    return Coordinate(
      latitude: box.south + (box.north - box.south) * north,
      longitude: Sphere.normalizedLongitude(box.west + width * east))
  }

  /// A circle around all corners, nearly the smallest (Bădoiu and Clarkson, 2003: each step moves
  /// towards the farthest corner, by a decreasing amount).
  static func around(
    _ polygons: [PerimeterPolygon], from start: Coordinate
  ) -> (centre: Coordinate, radius: Metres) {
    let corners = polygons.flatMap(\.outer)
    var centre = start
    var best = (centre: start, radius: reach(of: corners, from: start).distance)
    for step in 1...steps {
      let (farthest, distance) = reach(of: corners, from: centre)
      centre = Sphere.destination(
        from: centre, bearing: Sphere.bearing(from: centre, to: farthest),
        distance: distance / Double(step + 1))
      let radius = reach(of: corners, from: centre).distance
      if radius < best.radius { best = (centre, radius) }
    }
    // A polygon that covers half the Earth exceeds the largest allowed circle.
    best.radius = min(best.radius, PlaceLimits.radius.upperBound)
    return best
  }

  private static func reach(
    of corners: [Coordinate], from centre: Coordinate
  ) -> (corner: Coordinate, distance: Metres) {
    var farthest = (corner: centre, distance: Metres(0))
    for corner in corners {
      let distance = Sphere.distance(centre, corner)
      if distance > farthest.distance { farthest = (corner, distance) }
    }
    return farthest
  }
}
