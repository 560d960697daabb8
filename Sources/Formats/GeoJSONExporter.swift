import Notation
import Quantities
import Records

/// GeoJSON (RFC 7946): one feature collection, one feature on each line, units in the names of the
/// properties. The times of a line's points are its `coordTimes`, as other programs write them.
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
    feature(place: destination.place) { json in
      json.key("kind")
      json.string("destination")
      json.key("name")
      json.string(name)
      RecordJSON.members(of: destination, to: &json)
    }
  }

  mutating func visit(_ visit: Visit) {
    let name = names.name(of: visit)
    feature(place: visit.place) { json in
      json.key("kind")
      json.string("visit")
      json.key("name")
      json.string(name)
      RecordJSON.members(of: visit, to: &json)
    }
  }

  mutating func point(_ point: TrackPoint) {
    if let done = segment.add(point.sighting) { line(done) }
  }

  mutating func finish() {
    if let done = segment.finish() { line(done) }
    output.append(contentsOf: "\n]}\n".utf8)
  }

  private mutating func line(_ sightings: [Sighting]) {
    guard let first = sightings.first, let last = sightings.last else { return }
    let properties: (inout JSONWriter) -> Void = { json in
      json.key("kind")
      json.string("track")
      json.key("start")
      json.time(first.time)
      json.key("end")
      json.time(last.time)
      json.key("coordTimes")
      json.array { for sighting in sightings { $0.time(sighting.time) } }
      json.key("accuracy_m")
      json.array { for sighting in sightings { $0.number(sighting.accuracy.value, digits: 1) } }
    }
    guard sightings.count > 1 else { return feature(place: first.place, properties) }
    feature(properties) { json in
      json.key("type")
      json.string("LineString")
      json.key("coordinates")
      json.array { for sighting in sightings { Self.position(sighting.place, to: &$0) } }
    }
  }

  private mutating func feature(
    place: Coordinate, _ properties: (inout JSONWriter) -> Void
  ) {
    feature(properties) { json in
      json.key("type")
      json.string("Point")
      json.key("coordinates")
      Self.position(place, to: &json)
    }
  }

  private mutating func feature(
    _ properties: (inout JSONWriter) -> Void, geometry: (inout JSONWriter) -> Void
  ) {
    json.removeAll()
    json.object { json in
      json.key("type")
      json.string("Feature")
      json.key("geometry")
      json.object(geometry)
      json.key("properties")
      json.object(properties)
    }
    output.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
    output.append(contentsOf: json.bytes)
    isFirst = false
  }

  private static func position(_ place: Coordinate, to json: inout JSONWriter) {
    json.array {
      $0.number(place.longitude.value, digits: 7)
      $0.number(place.latitude.value, digits: 7)
    }
  }
}
