import Formats
import Places
import Core
import Testing

@Suite struct GeoJSONFaultTests {
  struct Faulty: Sendable, CustomStringConvertible {
    let feature: String
    let error: String

    init(_ feature: String, _ error: String) {
      self.feature = feature
      self.error = error
    }

    var description: String { error }
  }

  /// With an id of Godwit's, so that its properties are read as Godwit's.
  private static func point(_ properties: String) -> String {
    foreign("\"id\":\"6f9619ff-8b86-4d01-b42d-00cf4fc964ff\",\(properties)")
  }

  private static func foreign(_ properties: String, at position: String = "2,1") -> String {
    "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(position)]},"
      + "\"properties\":{\"name\":\"Harbour\",\(properties)}}"
  }

  private static func shape(_ geometry: String) -> String {
    "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":{\"name\":\"Harbour\"}}"
  }

  private static func ring(_ corners: String) -> String {
    shape("{\"type\":\"Polygon\",\"coordinates\":[\(corners)]}")
  }

  private static let faulty = [
    Faulty(
      ring("[[0,0],[1,0],[1,1]]"),
      "perimeter.polygons[0].outer: the ring is open: repeat its first position as its last"),
    Faulty(
      ring("[[0,0],[1,0],[0,0]]"),
      "perimeter.polygons[0].outer: 2 corners: a ring needs at least three, and the first of them "
        + "again at its end"
    ),
    Faulty(
      ring("[[0,0],[1,0],[500000,4500000],[0,0]]"),
      "perimeter.polygons[0].outer[2]: 4500000.0, 500000.0 is not a position: use a latitude of "
        + "-90 to 90 and a longitude of -180 to 180"
    ),
    Faulty(ring(""), "geometry.coordinates: it has no ring: draw one"),
    Faulty(
      ring("[[0,0],[1]]"),
      "geometry.coordinates[0][1]: it is not a position: write [longitude, latitude]"),
    Faulty(
      ring("[7]"), "geometry.coordinates[0][0]: it is not a position: write [longitude, latitude]"),
    Faulty(ring("7"), "geometry.coordinates[0]: a list is missing here"),
    Faulty(
      shape("{\"type\":\"LineString\",\"coordinates\":[]}"),
      "geometry: a line has no interior: draw a polygon, or a point with a radius"),
    Faulty(
      shape("{\"type\":\"GeometryCollection\",\"geometries\":[]}"),
      "geometry: a GeometryCollection is not a place: make its parts a MultiPolygon, or features"),
    Faulty(shape("{\"type\":\"Circle\"}"), "geometry.type: \"Circle\" is unknown"),
    Faulty(shape("{}"), "geometry: it has no type: write a Point, Polygon or MultiPolygon"),
    Faulty(
      shape("{\"type\":\"MultiPoint\",\"coordinates\":[[1,2],[3,4]]}"),
      "geometry: 2 points are as many places: separate them"),
    Faulty(
      shape("null"),
      "geometry: it is missing: draw a point or a polygon, or name the device that it follows"),
    Faulty(
      point("\"radius_m\":0"),
      "perimeter.radius: 0.0 m is not a valid radius: use 1.0 m to 10000000.0 m"),
    Faulty(point("\"rad\":\"wide\""), "rad: \"wide\" is not a number"),
    Faulty(point("\"rad\":\"0x10\""), "rad: \"0x10\" is not a number"),
    Faulty(point("\"rad\":\"nan\""), "rad: \"nan\" is not a number"),
    Faulty(point("\"version\":0"), "version: 0: versions are counted from 1"),
    Faulty(point("\"version\":1.5"), "version: it is not a whole number"),
    Faulty(point("\"version\":1e300"), "version: it is not a whole number"),
    Faulty(
      point("\"valid_from\":\"soon\""),
      "valid_from: \"soon\" is not a time: write it as 2026-05-01T12:34:56Z"),
    Faulty(
      point("\"valid_from\":\"2027\",\"valid_until\":\"2026-05\""),
      "lifetime: it ends before it begins: swap the two, or remove one"),
    Faulty(point("\"visible_to\":true"), "visible_to: it is neither an object nor a list"),
    Faulty(point("\"visible_to\":\"everybody\""), "visible_to: not JSON at byte 0: no value here"),
    Faulty(point("\"visible_to\":[]"), "visible_to: it is not an object"),
    Faulty(point("\"visible_to\":{\"people\":{}}"), "visible_to.people: it is not a list"),
    Faulty(point("\"visible_to\":{\"people\":[[]]}"), "visible_to.people[0]: it is not text"),
    Faulty(
      point("\"tags\":[\"a\",\"a\"]"), "tags[1]: the tag exists already: remove one of the two"),
    Faulty(
      point("\"beacons\":[\"ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0\",\"wifi:1\"]"),
      "beacons[1]: wifi:1 is not a beacon: write ibeacon:UUID/MAJOR/MINOR or "
        + "eddystone:NAMESPACE/INSTANCE, with * for any number"),
    Faulty(
      point(
        "\"beacons\":\"eddystone:00112233445566778899,eddystone:00112233445566778899/*\""),
      "beacons[1]: the beacon exists already: remove one of the two"),
    Faulty(point("\"follows\":{}"), "follows.device: name the device that it follows"),
    Faulty(
      point("\"follows\":{\"device\":\"d\"}"),
      "follows: use either interval_s or distance_m, not both"),
    Faulty(
      point("\"follows\":{\"device\":\"d\",\"interval_s\":0}"),
      "location.update: 0.0 s is not a valid interval: use 1.0 s to 86400.0 s"),
    Faulty(
      point("\"follows\":{\"device\":\"d\",\"interval_s\":9,\"anchor\":[1]}"),
      "follows.anchor: it is not a position: write [longitude, latitude]"),
    Faulty(point("\"contents\":[{}]"), "contents[0].media_type: write a type such as text/html"),
    Faulty(
      point("\"contents\":[{\"uri\":\"https://example.org\",\"text\":\"Soup\"}]"),
      "contents[0].media_type: write a type such as text/html"),
    Faulty(
      point("\"contents\":[{\"media_type\":\"text/plain\"}]"),
      "contents[0]: there is nothing to show: set a uri or a text"),
    Faulty(point("\"contents\":[1]"), "contents[0]: it is neither an object nor a list"),
    Faulty(point("\"relationships\":{}"), "relationships: it is not a list of objects"),
    Faulty(point("\"relationships\":[{}]"), "relationships[0]: write its kind and its target"),
    Faulty(
      point("\"relationships\":[{\"kind\":\"next\",\"target\":\"b\"}]"),
      "relationships[0].target: it is not a UUID: name a place by its id"),
    Faulty(
      point("\"followers\":{\"inferred_from_visits\":2}"),
      "followers.inferred_from_visits: it is neither true nor false"),
  ]

  @Test("a bad feature drops only itself, with place and reason", arguments: faulty)
  func features(faulty: Faulty) {
    let sound = Self.point("\"radius_m\":7")
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[\(sound),\(faulty.feature),\(sound)]}"
    let run = PlaceFileRun(text, as: .geojson)
    #expect(run.places.count == 2)
    #expect(run.errors == ["feature 2 \"Harbour\": \(faulty.error)"])
  }

  @Test(
    "a property of another program with one of Godwit's names is dropped and reported",
    arguments: [
      ("\"location\":\"Hall 3\"", "location"), ("\"location\":{\"address\":\"Dam 1\"}", "location"),
      ("\"tags\":5", "tags"), ("\"contents\":\"wine\"", "contents"),
      ("\"beacons\":\"yes\"", "beacons"), ("\"relationships\":\"x\"", "relationships"),
      ("\"followers\":12", "followers"), ("\"version\":\"v2\"", "version"),
      ("\"valid_from\":\"yesterday\"", "valid_from"), ("\"valid_until\":\"never\"", "valid_until"),
      ("\"owner\":{\"n\":1}", "owner"), ("\"follows\":\"x\"", "follows"),
      ("\"radius\":\"wide\"", "radius"),
    ])
  func foreignNames(property: String, name: String) {
    for text in [Self.foreign(property), Self.foreign(property + ",\"id\":\"node/1\"")] {
      let run = PlaceFileRun(text, as: .geojson)
      #expect(run.errors.isEmpty && run.places.count == 1)
      let notices = run.entries.flatMap(\.notices)
      #expect(notices.contains { $0.contains("\"\(name)\" is not imported: ") })
    }
    // A name may look like an object.
    let faults = name == "owner" ? 0 : 1
    #expect(PlaceFileRun(Self.point(property), as: .geojson).errors.count == faults, "it is ours")
  }

  @Test("a point at 0, 0 is a place with an unknown position") func nullIsland() {
    let run = PlaceFileRun(Self.foreign("\"radius\":9", at: "0,0"), as: .geojson)
    #expect(run.places.isEmpty)
    #expect(run.errors.first?.contains("its position is 0, 0") == true)
    let said = Self.point("\"radius\":9,\"location\":[0,0]")
      .replacing(#"{"type":"Point","coordinates":[2,1]}"#, with: "null")
    let nowhere = PlaceFileRun(said, as: .geojson)
    #expect(nowhere.errors.first?.contains("its position is 0, 0") == true)
    let polygon = said.replacing(
      "null", with: #"{"type":"Polygon","coordinates":[[[2,1],[3,1],[3,2],[2,1]]]}"#)
    let drawn = PlaceFileRun(polygon, as: .geojson)
    #expect(drawn.places.first?.location != .fixed(Coordinate(latitude: 0, longitude: 0)))
    #expect(drawn.places.count == 1)
    #expect(drawn.notices.contains { $0.contains("its location is not imported") })
    let near = PlaceFileRun(Self.foreign("\"radius\":9", at: "0,0.001"), as: .geojson)
    #expect(near.places.count == 1)
  }

  @Test(
    "invalid JSON within a feature is reported with its byte in the file",
    arguments: [
      ("{\"a\":NaN}", "not JSON at byte 45: JSON has no NaN and no Infinity: write null"),
      ("{\"a\":-Infinity}", "not JSON at byte 46: JSON has no NaN and no Infinity: write null"),
      ("{a:1}", "not JSON at byte 41: a member's name must be a string"),
      ("{\"a\":1e999}", "not JSON at byte 50: number out of range"),
      ("17", "it is not a feature: write an object"),
      ("\"a\"", "it is not a feature: write an object"),
      ("null", "it is not a feature: write an object"),
      ("nul", "not JSON at byte 40: no value here"),
    ])
  func noJSON(feature: String, error: String) {
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[\(feature),\(Self.point("\"rad\":7"))]}"
    let run = PlaceFileRun(text, as: .geojson)
    #expect(run.places.count == 1)
    #expect(run.errors == ["feature 1: \(error)"])
  }

  @Test("a text in an older encoding is refused, and its neighbours are accepted")
  func encoding() {
    let sound = Self.point("\"radius_m\":7")
    var bytes = Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8)
    // é in windows-1252
    bytes += Array(Self.point("\"description\":\"caf").utf8.dropLast(2)) + [0xE9]
    bytes += Array("\"}},\(sound)]}".utf8)
    let run = PlaceFileRun(bytes, as: .geojson)
    #expect(run.places.count == 1)
    #expect(run.errors.count == 1)
    #expect(run.errors[0].contains("not UTF-8: convert the file"), "\(run.errors)")
  }

  @Test(
    "a fault of the whole file ends reading",
    arguments: [
      (
        "{\"type\":\"FeatureCollection\"}",
        "a FeatureCollection without features: check that the file is complete"
      ),
      ("[{}]", "a list is not GeoJSON: put it into a FeatureCollection"),
      (
        "{\"type\":\"FeatureCollection\",\"features\":[",
        "the file ends in the middle of feature 1, or behind the last one: is it complete?"
      ),
      ("{\"features\":[}", "not JSON at byte 13: no value here"),
      ("{\"features\":[1 2]}", "not JSON at byte 15: ',' or ']' expected"),
      (
        "{\"features\":[{\"a\":[}",
        "not JSON at byte 19: the '}' does not match the bracket that it closes"
      ),
      (
        "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"name\","
          + "\"properties\":{\"name\":\"EPSG:3857\"}},\"features\":[{}]}",
        "crs: its coordinates are of \"EPSG:3857\": convert it with ogr2ogr -t_srs EPSG:4326"
      ),
      (
        "{\"type\":\"Topology\",\"features\":[]}",
        "features in an object that is not a FeatureCollection: set that type"
      ),
      ("{\"type\" 1,\"features\":[1]}", "not JSON at byte 8: ':' expected"),
      (
        "{\"type\":\"FeatureCollection\",\"features\":7}", "features: they are not a list: write []"
      ),
      (" \n\t ", "it contains only white space"),
      (
        "{}\0",
        "not JSON at byte 2: a NUL, which JSON cannot contain: a power failure cut the file off "
          + "here, or it is not UTF-8"
      ),
    ])
  func files(text: String, error: String) {
    #expect(PlaceFileRun(text, as: .geojson).failure?.description == error)
  }

  @Test("a coordinate system at the end is too late to withhold the features")
  func lateSystem() {
    let run = PlaceFileRun(
      "{\"type\":\"FeatureCollection\",\"features\":[\(Self.point("\"rad\":7"))],"
        + "\"crs\":{\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::25832\"}}}", as: .geojson)
    #expect(run.places.count == 1)
    #expect(run.failure?.path == "crs")
  }

  @Test(
    "WGS 84 under any name is accepted",
    arguments: [
      "urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "urn:ogc:def:crs:EPSG::4326", "CRS84",
    ])
  func systems(name: String) {
    let crs = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"\(name)\"}}"
    let run = PlaceFileRun(
      "{\"type\":\"FeatureCollection\",\(crs),\"features\":[\(Self.point("\"rad\":7"))]}",
      as: .geojson)
    #expect(run.places.count == 1 && run.failure == nil)
  }

  @Test("a feature that is too large is skipped, and the following ones are read")
  func large() {
    let long = Self.foreign("\"description\":\"" + String(repeating: "x", count: 1 << 23) + "\"")
    let many = Self.foreign("\"a\":[" + String(repeating: "0,", count: 250_000) + "0]")
    let deep = Self.foreign(
      "\"a\":" + String(repeating: "[", count: 200) + String(repeating: "]", count: 200))
    let run = PlaceFileRun(
      "{\"type\":\"FeatureCollection\",\"features\":[\(long),\(many),\(deep),"
        + "\(Self.foreign("\"rad\":7"))]}", as: .geojson)
    #expect(run.places.count == 1)
    #expect(
      run.errors.map { $0.prefix(60) }
        == [
          "feature 1: it has more than 8388608 bytes: shorten its texts",
          "feature 2: it has more than 250000 values: simplify its poly",
          "feature 3: not JSON at byte 8889034: nested deeper than 64",
        ].map { $0.prefix(60) })
  }

  @Test("a truncated text in a sequence drops only itself") func cutText() {
    let sound = Self.foreign("\"rad\":7")
    let run = PlaceFileRun(
      "\u{1E}\(sound)\n\u{1E}\(sound.dropLast(9))\n\u{1E}\(sound)\n", as: .geojson)
    #expect(run.places.count == 2)
    #expect(run.errors == ["feature 2: at byte 109: it is cut off where the next one begins"])
  }
}
