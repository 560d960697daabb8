import Core

/// The perimeter of a place (Chughtai 2015, section 4.2.3).
public enum Perimeter: Hashable, Sendable {
  /// Around the place's location, in `PlaceLimits.radius`.
  case circle(radius: Metres)
  /// Disjoint.
  case polygons([PerimeterPolygon])
}

/// A ring and the holes in it, as in RFC 7946, section 3.1.6.
///
/// Rings are closed, so that the first position is repeated as the last, in either orientation.
/// Edges are straight in longitude and latitude (section 3.1.1) and take the short way round. A
/// polygon across the antimeridian may cross it, or be cut there into several (section 3.1.9); one
/// around a pole may run along the antimeridian to it and back, or simply surround it, and then
/// encloses the smaller side.
public struct PerimeterPolygon: Hashable, Sendable {
  public var outer: [Coordinate]
  public var holes: [[Coordinate]]

  public init(outer: [Coordinate], holes: [[Coordinate]] = []) {
    self.outer = outer
    self.holes = holes
  }

  /// The outer one first.
  var rings: [[Coordinate]] { [outer] + holes }
}

extension Perimeter {
  /// - Throws: the first fault, with a path such as "polygons[2].holes[0]".
  public func check() throws(PlaceError) {
    switch self {
    case .circle(let radius):
      try PlaceCheck.check(radius, PlaceLimits.radius, "radius", at: "radius")
    case .polygons(let polygons): try PolygonCheck.check(polygons)
    }
  }

  /// The perimeter after a move from `anchor` to `position`: every corner keeps its bearing and
  /// distance. A circle moves with its place anyway.
  func moved(from anchor: Coordinate, to position: Coordinate) -> Perimeter {
    guard case .polygons(let polygons) = self else { return self }
    func moved(_ ring: [Coordinate]) -> [Coordinate] {
      ring.map { corner in
        Sphere.destination(
          from: position, bearing: Sphere.bearing(from: anchor, to: corner),
          distance: Sphere.distance(anchor, corner))
      }
    }
    return .polygons(
      polygons.map { PerimeterPolygon(outer: moved($0.outer), holes: $0.holes.map(moved)) })
  }
}
