import RadioSignals
import Foundation
import Formats
import Places
import Core
import TestSupport
import Testing

@Suite struct GeoJSONPlaceTests {
  private static func read(_ text: String) -> PlaceFileRun { PlaceFileRun(text, as: .geojson) }

  @Test("a written place is read back unchanged, whatever it contains", arguments: 1...20)
  func roundTrip(seed: UInt64) throws {
    var random = RandomPlaces(seed: seed)
    let places = try random.places(20)
    let text = PlaceFileRun.text(places, as: .geojson)
    let run = PlaceFileRun(text, as: .geojson)
    #expect(run.errors.isEmpty)
    #expect(run.notices.isEmpty)
    #expect(run.places.map(\.turned) == places.map(\.turned))
    #expect(PlaceFileRun.text(run.places, as: .geojson) == text)
    #expect(try PlaceFileFormat.detect(head: Array(text.prefix(4096))) == .geojson)
  }

  @Test("a feature has the model's names, one per line, and no unset values")
  func written() throws {
    let square = Drawn.box(west: -8.5, south: 41, east: -8.4, north: 41.5)
    let places = [
      try Place(id: Drawn.id(1), Drawn.details()),
      try Place(
        id: Drawn.id(2), version: 3,
        Drawn.details {
          $0.perimeter = .polygons([PerimeterPolygon(outer: square.reversed())])
          $0.description = "two\nlines"
          $0.lifetime = .init(from: .init(seconds: 0), until: .init(seconds: 1.5))
          $0.tags = ["a", "b"]
          $0.beacons = [.eddystone(namespace: Array(0...9), instance: nil)]
        }),
      try Place(
        id: Drawn.id(3),
        Drawn.details {
          $0.location = .following(.init(name: "guide", update: .distance(20)))
          $0.visibility = .only(people: ["rui"], groups: [])
        }),
    ]
    let id = "00000000-0000-0000-0000-00000000000"
    #expect(
      String(decoding: PlaceFileRun.text(places, as: .geojson), as: UTF8.self) == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"\(id)1","geometry":{"type":"Point",\
        "coordinates":[-8.607746,41.177839]},"properties":{"name":"School","radius_m":100,\
        "owner":"ana","version":1}},
        {"type":"Feature","id":"\(id)2","geometry":{"type":"Polygon","coordinates":[[[-8.5,41],\
        [-8.4,41],[-8.4,41.5],[-8.5,41.5],[-8.5,41]]]},"properties":{"name":"School",\
        "description":"two\\nlines","location":[-8.607746,41.177839],\
        "valid_from":"1970-01-01T00:00:00Z","valid_until":"1970-01-01T00:00:01.500Z",\
        "beacons":["eddystone:00010203040506070809/*"],"tags":["a","b"],\
        "owner":"ana","version":3}},
        {"type":"Feature","id":"\(id)3","geometry":null,"properties":{"name":"School",\
        "radius_m":100,"follows":{"device":"guide","distance_m":20},\
        "visible_to":{"people":["rui"],"groups":[]},\
        "owner":"ana","version":1}}
        ]}

        """)
  }

  @Test("properties as QGIS and GDAL leave them are understood") func foreign() throws {
    let run = Self.read(
      #"""
      {"type":"FeatureCollection","name":"places",
       "crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},
       "features":[
        {"type":"Feature","properties":{"fid":3,"NAME":"Harbour","rad":"120.5",
          "tags":"(2:sea,boats)",
          "visible_to":"{ \"people\": [ \"rui\" ], \"groups\": [ ] }","description":null,
          "valid_from":"2026/05/01 12:34:56.5+02",
          "followers":"{\"names\":[],\"inferred_from_visits\":true}",
          "contents":"[{\"uri\":\"https:\\/\\/example.org\",\"media_type\":\"text\\/html\"}]"},
         "geometry":{"type":"Point","coordinates":[-8.6,41.2,12.5]}},
        {"type":"Feature","id":17,"properties":{"title":"Quay","tags":"a, b ,c","radius_m":5,
          "location":"(2:-8.55,41.25)"},
         "geometry":{"type":"MultiPolygon","coordinates":
           [[[[-8.6,41.2,1],[-8.5,41.2,1],[-8.5,41.3,1],[-8.6,41.2,1]]]]}},
        {"type":"Feature","properties":null,"geometry":{"type":"MultiPoint","coordinates":[[1,2]]}}
       ]}
      """#)
    #expect(run.errors.isEmpty)
    let places = run.places
    try #require(places.count == 3)
    #expect(places[0].name == "Harbour")
    #expect(places[0].perimeter == .circle(radius: 120.5))
    #expect(places[0].tags == ["sea", "boats"])
    #expect(places[0].visibility == .only(people: ["rui"], groups: []))
    #expect(places[0].lifetime.from == UTCInstant(seconds: 1_777_631_696.5))
    #expect(places[0].followers == .init(names: [], isInferredFromVisits: true))
    #expect(
      places[0].contents.map(\.anonymous) == [
        .init(uri: "https://example.org", mediaType: "text/html")
      ])
    #expect(places[1].tags == ["a", "b", "c"])
    #expect(places[1].location == .fixed(Drawn.at(41.25, -8.55)))
    #expect(places[2].name == "Place 3")
    #expect(places[2].perimeter == .circle(radius: 50))
    #expect(
      run.notices == [
        "not imported: \"fid\"", "its radius is not imported: it has a polygon",
        "its id is \"17\", not a UUID: it gets a new one",
        "it has no name, and is named by its number", "it has no radius, and gets 50.0 m",
      ])
  }

  @Test(
    "a single feature, a geometry, a sequence and lines are accepted as files",
    arguments: [
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[2,1]}}",
      "\u{FEFF} {\"type\":\"Point\",\"coordinates\":[2,1]}\n",
      "\u{1E}{\"type\":\"Point\",\"coordinates\":[2,1]}\n"
        + "\u{1E}{\"coordinates\":[2,1],\"type\":\"Point\"}\n",
      "{\"type\":\"Point\",\"coordinates\":[2,1]}\n{\"type\":\"Point\",\"coordinates\":[2,1]}",
      "{\"\\u0066eatures\":[{\"type\":\"Point\",\"coordinates\":[2,1]}],"
        + "\"type\":\"FeatureCollection\"}",
    ])
  func others(text: String) {
    let run = Self.read(text)
    #expect(run.errors.isEmpty)
    #expect(!run.places.isEmpty)
    #expect(run.places.allSatisfy { $0.location == .fixed(Drawn.at(1, 2)) })
  }

  @Test("polygons without a location get one inside") func inside() throws {
    // A horseshoe: the centre of its bounding box is outside.
    let run = Self.read(
      """
      {"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[6,9],[6,3],[3,3],[3,9],[0,9],[0,0]]]}
      {"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]}
      {"type":"Polygon","coordinates":[[[170,0],[-170,0],[-170,9],[170,9],[170,0]]]}
      """)
    let places = run.places
    try #require(places.count == 3)
    guard case .fixed(let position) = places[0].location else { return }
    #expect(places[0].region()?.contains(position) == true)
    #expect(places[1].location == .fixed(Drawn.at(4.5, 4.5)))
    #expect(places[2].location == .fixed(Drawn.at(4.5, 180)))
  }

  @Test("a geometry over the antimeridian is written whole, and reported")
  func antimeridian() throws {
    let ring = Drawn.box(west: 179, south: 0, east: -179, north: 1)
    let place = try Place(
      id: Drawn.id(1), Drawn.details { $0.perimeter = .polygons([.init(outer: ring)]) })
    var writer = PlaceFileFormat.geojson.writer()
    #expect(
      writer.place(place) == [
        "it crosses the antimeridian, where other programs may draw it around the Earth"
      ])
    writer.finish()
    #expect(PlaceFileRun(writer.output, as: .geojson).places == [place])
  }

  @Test("the fed bytes are counted") func progress() throws {
    var reader = PlaceFileFormat.geojson.reader(PlaceFileRun.defaults)
    var entries: [PlaceFileEntry] = []
    let text = Array("{\"type\":\"Point\",\"coordinates\":[2,1]}".utf8)
    try text.withUnsafeBufferPointer { try reader.feed($0, into: &entries) }
    #expect(reader.byteCount == text.count)
    #expect(entries.count == 1)
  }
}
