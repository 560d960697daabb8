import Core

@testable import Places

/// Short forms for test geometries.
enum Drawing {
  static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
  }

  /// Closed, from longitude-latitude pairs in GeoJSON's order.
  static func ring(_ corners: (Double, Double)...) -> [Coordinate] {
    let open = corners.map { at($0.1, $0.0) }
    return open + open.prefix(1)
  }

  /// Anticlockwise, closed.
  static func box(
    west: Double, south: Double, east: Double, north: Double
  ) -> [Coordinate] {
    ring((west, south), (east, south), (east, north), (west, north))
  }

  static func region(_ rings: [Coordinate]...) -> PlaceRegion {
    let polygon = PerimeterPolygon(outer: rings[0], holes: Array(rings.dropFirst()))
    return PlaceRegion(.polygons([polygon]), around: rings[0][0])
  }

  static func id(_ number: UInt8) -> PlaceID {
    PlaceID(bytes: Array(repeating: 0, count: 15) + [number])!
  }

  static func details(_ change: (inout PlaceDetails) -> Void = { _ in }) -> PlaceDetails {
    var details = PlaceDetails(
      name: "School", location: .fixed(at(41.177839, -8.607746)),
      perimeter: .circle(radius: 100), owner: "ana")
    change(&details)
    return details
  }
}
