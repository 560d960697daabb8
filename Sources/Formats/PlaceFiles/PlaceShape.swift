import Core
import Places

/// The shape of a place in a file.
enum PlaceShape: Hashable, Sendable {
  case nowhere
  case point(Coordinate)
  case polygons([PerimeterPolygon])
}

// MARK: GeoJSON's geometry objects (RFC 7946, section 3.1)

extension PlaceShape {
  /// Reads points, polygons, and collections of one point or of polygons.
  init(geoJSON geometry: JSONValue?) throws(PlaceError) {
    guard let geometry, geometry != .null else {
      self = .nowhere
      return
    }
    let coordinates = geometry["coordinates"]
    let path = "geometry.coordinates"
    switch geometry["type"]?.string {
    case "Point": self = .point(try Self.position(coordinates, at: path))
    case "MultiPoint":
      let points = try Self.items(coordinates, at: path)
      guard points.count == 1 else {
        throw Self.fault("geometry", "\(points.count) points are as many places: separate them")
      }
      self = .point(try Self.position(points[0], at: "\(path)[0]"))
    case "Polygon": self = .polygons([try Self.polygon(coordinates, at: path)])
    case "MultiPolygon":
      var polygons: [PerimeterPolygon] = []
      for (index, item) in try Self.items(coordinates, at: path).enumerated() {
        polygons.append(try Self.polygon(item, at: "\(path)[\(index)]"))
      }
      self = .polygons(polygons)
    case "LineString", "MultiLineString":
      throw Self.fault(
        "geometry", "a line has no interior: draw a polygon, or a point with a radius")
    case "GeometryCollection":
      throw Self.fault(
        "geometry",
        "a GeometryCollection is not a place: make its parts a MultiPolygon, or features")
    case let type?: throw Self.fault("geometry.type", "\(Quoted.text(type)) is unknown")
    case nil: throw Self.fault("geometry", "it has no type: write a Point, Polygon or MultiPolygon")
    }
  }

  private static func fault(_ path: String, _ reason: String) -> PlaceError {
    PlaceError(.malformed, at: path, reason)
  }

  private static func items(
    _ value: JSONValue?, at path: String
  ) throws(PlaceError) -> [JSONValue] {
    guard let items = value?.array else { throw fault(path, "a list is missing here") }
    return items
  }

  private static func polygon(
    _ value: JSONValue?, at path: String
  ) throws(PlaceError) -> PerimeterPolygon {
    var rings: [[Coordinate]] = []
    for (index, ring) in try items(value, at: path).enumerated() {
      let path = "\(path)[\(index)]"
      var corners: [Coordinate] = []
      for (index, corner) in try items(ring, at: path).enumerated() {
        corners.append(try position(corner, at: "\(path)[\(index)]"))
      }
      rings.append(corners)
    }
    guard let outer = rings.first else { throw fault(path, "it has no ring: draw one") }
    return PerimeterPolygon(outer: outer, holes: Array(rings.dropFirst()))
  }

  /// Longitude, latitude; an altitude after them is ignored (section 3.1.1).
  private static func position(
    _ value: JSONValue?, at path: String
  ) throws(PlaceError) -> Coordinate {
    guard let numbers = value?.array, numbers.count >= 2, let longitude = numbers[0].number,
      let latitude = numbers[1].number
    else { throw fault(path, "it is not a position: write [longitude, latitude]") }
    return Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
  }
}
