import Places
import Core

/// The collected geometry of one placemark (OGC 12-007r2, clause 10).
struct KMLShapes {
  private var points: [XMLElement] = []
  private var polygons: [XMLElement] = []
  /// Names of other geometries.
  private var others: [String] = []

  /// - Parameter element: a geometry; collections may be nested, at most to the depth limit of the
  ///   document.
  mutating func take(_ element: XMLElement) {
    switch element.name {
    case "Point": points.append(element)
    case "Polygon": polygons.append(element)
    case "MultiGeometry": for child in element.children { take(child) }
    default: others.append(element.name)
    }
  }

  /// Sets the draft's shape. A point in addition to polygons, which map programs use for the label,
  /// is the place's position.
  func apply(_ draft: inout PlaceDraft) throws(PlaceError) {
    guard points.count <= 1 else {
      throw Self.fault("MultiGeometry", "\(points.count) points are as many places: separate them")
    }
    let point = try points.first.map { element throws(PlaceError) in try Self.point(element) }
    if polygons.isEmpty {
      if let point {
        draft.shape = .point(point)
      } else if let other = others.first {
        throw Self.fault(other, "it has no interior: draw a polygon, or a point with a radius")
      }
    } else {
      var drawn: [PerimeterPolygon] = []
      for (index, polygon) in polygons.enumerated() {
        drawn.append(
          try Self.polygon(polygon, at: polygons.count > 1 ? "Polygon[\(index)]" : "Polygon"))
      }
      draft.shape = .polygons(drawn)
      if let point, !draft.properties.has("location") {
        draft.properties.add(
          "location", .array([.number(point.longitude.value), .number(point.latitude.value)]))
      }
    }
    if let other = others.first, draft.shape != .nowhere {
      draft.notices.append("its \(other) is not imported")
    }
  }

  private static func fault(_ path: String, _ reason: String) -> PlaceError {
    PlaceError(.malformed, at: path, reason)
  }

  private static func point(_ element: XMLElement) throws(PlaceError) -> Coordinate {
    let positions = try coordinates(element, at: "Point")
    guard positions.count == 1 else {
      throw fault("Point.coordinates", "\(positions.count) positions: write one")
    }
    return positions[0]
  }

  private static func polygon(
    _ element: XMLElement, at path: String
  ) throws(PlaceError) -> PerimeterPolygon {
    var polygon = PerimeterPolygon(outer: [])
    for boundary in element.children {
      let path = "\(path).\(boundary.name)"
      switch boundary.name {
      case "outerBoundaryIs":
        for ring in boundary.children where ring.name == "LinearRing" {
          guard polygon.outer.isEmpty else { throw fault(path, "a second one: remove it") }
          polygon.outer = try coordinates(ring, at: path)
        }
      case "innerBoundaryIs":
        // The schema allows one ring in each; programs write several.
        for ring in boundary.children where ring.name == "LinearRing" {
          polygon.holes.append(try coordinates(ring, at: path))
        }
      default: break
      }
    }
    guard !polygon.outer.isEmpty else { throw fault(path, "it has no outerBoundaryIs: draw one") }
    return polygon
  }

  /// Longitude, latitude, and perhaps an altitude, with commas; white space between positions.
  private static func coordinates(
    _ element: XMLElement, at path: String
  ) throws(PlaceError) -> [Coordinate] {
    let text = element.child("coordinates")?.text ?? ""
    var positions: [Coordinate] = []
    // One more than the limit, which is enough to refuse it.
    let tuples = text.utf8.split(maxSplits: PlaceLimits.corners + 1) { $0 <= 0x20 }
    guard tuples.count <= PlaceLimits.corners + 1 else {
      throw fault(
        "\(path).coordinates", "more than \(PlaceLimits.corners) positions: simplify it")
    }
    for tuple in tuples {
      let parts = tuple.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      guard parts.count == 2 || parts.count == 3,
        let longitude = DecimalNumber.parse(Substring(parts[0])),
        let latitude = DecimalNumber.parse(Substring(parts[1]))
      else {
        throw fault(
          "\(path).coordinates[\(positions.count)]",
          "\(Quoted.text(String(Substring(tuple)))) is not a position: write longitude,latitude")
      }
      positions.append(Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude)))
    }
    return positions
  }
}
