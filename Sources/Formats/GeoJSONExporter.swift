import Core
import Records

/// GeoJSON (RFC 7946): one feature collection, one feature per line, with units in the names of the
/// properties. The times of a line's points are its `coordTimes`, as in other programs' files.
struct GeoJSONExporter: Exporter {
  var output: [UInt8]
  private var json = JSONWriter()
  private var segment = SegmentBuffer()
  private var names = PlaceNames()
  private var isFirst = true

  init() { output = Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8) }

  mutating func destination(_ destination: Destination) {
    names.add(destination)
    let name = names.name(of: destination)
    feature(position: destination.position) { json in
      json.field("kind", "destination")
      json.field("name", name)
      Destination.columns.properties(of: destination, to: &json)
    }
  }

  mutating func visit(_ visit: Visit) {
    let name = names.name(of: visit)
    feature(position: visit.position) { json in
      json.field("kind", "visit")
      json.field("name", name)
      Visit.columns.properties(of: visit, to: &json)
    }
  }

  mutating func point(_ point: TrackPoint) {
    if let done = segment.add(point.location) { line(done) }
  }

  mutating func finish() {
    if let done = segment.finish() { line(done) }
    output.append(contentsOf: "\n]}\n".utf8)
  }

  private mutating func line(_ locations: [Location]) {
    guard let first = locations.first, let last = locations.last else { return }
    let properties: (inout JSONWriter) -> Void = { json in
      json.field("kind", "track")
      json.field("start", first.time)
      json.field("end", last.time)
      json.array("coordTimes") { for location in locations { $0.time(location.time) } }
      json.array("accuracy_m") {
        for location in locations { $0.number(location.accuracy.value, digits: 1) }
      }
    }
    guard locations.count > 1 else { return feature(position: first.position, properties) }
    feature(properties) { json in
      json.field("type", "LineString")
      json.array("coordinates") {
        for location in locations { $0.array { Self.position(location.position, to: &$0) } }
      }
    }
  }

  private mutating func feature(
    position: Coordinate, _ properties: (inout JSONWriter) -> Void
  ) {
    feature(properties) { json in
      json.field("type", "Point")
      json.array("coordinates") { Self.position(position, to: &$0) }
    }
  }

  private mutating func feature(
    _ properties: (inout JSONWriter) -> Void, geometry: (inout JSONWriter) -> Void
  ) {
    json.removeAll()
    json.object { json in
      json.field("type", "Feature")
      json.object("geometry", geometry)
      json.object("properties", properties)
    }
    output.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
    output.append(contentsOf: json.bytes)
    isFirst = false
  }

  private static func position(_ position: Coordinate, to json: inout JSONWriter) {
    json.number(position.longitude.value, digits: 7)
    json.number(position.latitude.value, digits: 7)
  }
}
