import Core
import Places

/// Places as GeoJSON (RFC 7946): one feature collection, one feature per line. It contains
/// everything of a place, and numbers with full precision, so that the same place is read back.
struct GeoJSONPlaceWriter: PlaceWriter {
  var output: [UInt8]
  private var json = JSONWriter()
  private var isFirst = true

  init() { output = Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8) }

  mutating func place(_ place: Place) -> [String] {
    json.removeAll()
    json.object { json in
      json.field("type", "Feature")
      json.field("id", place.id.description)
      json.key("geometry")
      Self.geometry(of: place, to: &json)
      json.object("properties") { json in
        json.field("name", place.name)
        if !place.description.isEmpty { json.field("description", place.description) }
        let members =
          PlaceMembers.locationMembers(of: place) + PlaceMembers.lifetime(of: place)
          + PlaceMembers.rest(of: place)
        for (name, value) in members { json.field(name, value) }
      }
    }
    output.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
    output.append(contentsOf: json.bytes)
    isFirst = false
    guard case .polygons(let polygons) = place.perimeter,
      polygons.contains(where: \.crossesAntimeridian)
    else { return [] }
    return [PerimeterPolygon.crossingNotice]
  }

  mutating func finish() { output.append(contentsOf: "\n]}\n".utf8) }

  private static func geometry(of place: Place, to json: inout JSONWriter) {
    switch (place.perimeter, place.location) {
    case (.circle, .fixed(let centre)):
      json.object { json in
        json.field("type", "Point")
        json.field("coordinates", PlaceMembers.position(centre))
      }
    case (.circle, .following): json.null()
    case (.polygons(let polygons), _):
      let isOne = polygons.count == 1
      json.object { json in
        json.field("type", isOne ? "Polygon" : "MultiPolygon")
        json.key("coordinates")
        if isOne {
          for polygon in polygons { rings(of: polygon, to: &json) }
        } else {
          json.array { json in for polygon in polygons { rings(of: polygon, to: &json) } }
        }
      }
    }
  }

  private static func rings(of polygon: PerimeterPolygon, to json: inout JSONWriter) {
    json.array { json in
      for ring in polygon.rightHanded {
        json.array { json in for corner in ring { json.value(PlaceMembers.position(corner)) } }
      }
    }
  }
}
