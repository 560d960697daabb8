import Core
import Ports
import Records
import TestSupport
import Testing

@testable import Store

/// The layers of places, whichever program writes there.
@Suite struct PlaceRowsTests {
  private let folder: ScratchFolder
  private var path: String { folder.file("life.gpkg") }

  init() throws {
    folder = try ScratchFolder()
    try GeoPackageStore(path: path).close()
  }

  private static func named(_ name: String, uuid: String? = nil) -> StoredPlace {
    var place = StoredPlace()
    place.name = name
    place.uuid = uuid
    return place
  }

  private static func circle(
    _ name: String, uuid: String? = nil, at centre: Coordinate? = position(52.1, 5.2),
    radius: Metres = 50
  ) -> PlaceRow {
    .circle(StoredCircle(id: 0, centre: centre, radius: radius, named(name, uuid: uuid)))
  }

  private static func area(
    _ name: String, uuid: String? = nil, _ polygons: [[[Coordinate]]]
  ) -> PlaceRow {
    .area(
      StoredArea(
        id: 0, polygons: polygons, latitude: nil, longitude: nil, named(name, uuid: uuid)))
  }

  private static let triangle = [
    [[position(52, 5), position(52, 6), position(53, 5), position(52, 5)]]
  ]

  private func put(_ rows: [PlaceRow]) throws {
    let store = try GeoPackageStore(path: path)
    try PlaceEditor(store).put(rows)
    try store.close()
  }

  private func places(near box: GeographicBox? = nil) throws -> [PlaceRow] {
    let reader = try StoreReader(path: path)
    var cursor = try box.map { try PlaceCursor(reader, near: $0) } ?? PlaceCursor(reader)
    var rows: [PlaceRow] = []
    while let row = try cursor.next() { rows.append(row) }
    return rows
  }

  // MARK: Rows

  @Test("every part of a row is read back unchanged") func roundTrip() throws {
    var place = Self.named("Harbour", uuid: "0d7a6f6e-8a2b-4c53-9a90-2f3f1c6d0001")
    place.description = "Where the boat lies"
    place.device = "guide"
    place.deviceInterval = 60
    place.deviceDistance = 25
    place.anchorLatitude = 52.5
    place.anchorLongitude = 5.5
    place.validFrom = start
    place.validUntil = start + .days(3)
    place.schedule = "BEGIN:VCALENDAR"
    place.visibleTo = "{}"
    place.relationships = "[]"
    place.tags = "boats, food"
    place.followers = "{}"
    place.contents = "[]"
    place.owner = "ada"
    place.version = 7
    place.beacons = "[\"eddystone:00112233445566778899\"]"
    let rows: [PlaceRow] = [
      .circle(StoredCircle(id: 1, centre: nil, radius: 12.5, place)),
      .area(StoredArea(id: 1, polygons: Self.triangle, latitude: 52.1, longitude: 5.1, place)),
    ]
    for row in rows {
      try put([row])
      #expect(try places() == [row])
    }
  }

  @Test("a row of another program gets a UUID and a version, and each change counts")
  func bareRow() throws {
    try put([Self.circle("Quay")])
    let made = try #require(try places().first)
    let uuid = try #require(made.place.uuid)
    let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(uuid.wholeMatch(of: form) != nil && made.place.version == 1)
    try gdal("UPDATE places SET radius_m = 80 WHERE name = 'Quay'")
    let changed = try #require(try places().first)
    #expect(changed.place.version == 2 && changed.place.uuid == uuid)
    guard case .circle(let circle) = changed else { throw WrongLayer() }
    #expect(circle.radius == 80)
  }

  private struct WrongLayer: Error {}

  @Test("a copy of a row is a separate place, in either layer") func copies() throws {
    let uuid = "0d7a6f6e-8a2b-4c53-9a90-2f3f1c6d0001"
    try put([Self.circle("Quay", uuid: uuid)])
    try gdal("INSERT INTO places (geom, name, uuid) SELECT geom, 'Copy', uuid FROM places")
    try gdal("INSERT INTO place_areas (name, uuid) SELECT name, uuid FROM places WHERE id = 1")
    let ids = try places().compactMap(\.place.uuid)
    #expect(ids.first == uuid && Set(ids).count == 3)
  }

  @Test("a place replaces the one with its UUID, in whichever layer that is")
  func replaced() throws {
    let uuid = "0d7a6f6e-8a2b-4c53-9a90-2f3f1c6d0001"
    try put([Self.circle("Quay", uuid: uuid), Self.circle("Mole")])
    try put([Self.area("Quay, drawn", uuid: uuid, Self.triangle)])
    #expect(try places().compactMap(\.place.name) == ["Mole", "Quay, drawn"])
    try put([Self.area("Quay, once more", uuid: uuid, Self.triangle)])
    #expect(try places().compactMap(\.place.name) == ["Mole", "Quay, once more"])
    let row = try #require(try places().last)
    let store = try GeoPackageStore(path: path)
    try PlaceEditor(store).remove(row)
    #expect(throws: PortError.self) { try PlaceEditor(store).remove(row) }
    try store.close()
    #expect(try places().compactMap(\.place.name) == ["Mole"])
  }

  @Test("a row changed since it was read is neither replaced nor removed")
  func changedMeanwhile() throws {
    try put([Self.circle("Quay")])
    let row = try #require(try places().first)
    try gdal("UPDATE places SET description = 'by another'")
    let store = try GeoPackageStore(path: path)
    #expect(throws: PortError.self) { try PlaceEditor(store).replace(row, with: row) }
    #expect(throws: PortError.self) { try PlaceEditor(store).remove(row) }
    try store.close()
    #expect(try places().first?.place.description == "by another")
    let current = try #require(try places().first)
    let again = try GeoPackageStore(path: path)
    var area = Self.area("Drawn", uuid: current.place.uuid, Self.triangle)
    area = area.numbered(7)
    try PlaceEditor(again).replace(current, with: area)
    try again.close()
    #expect(try places().map(\.place.name) == ["Drawn"])
  }

  @Test("a UUID stays one, in lower case, whatever an update writes") func renamed() throws {
    let uuid = "0d7a6f6e-8a2b-4c53-9a90-2f3f1c6d0001"
    try put([
      Self.circle("Quay", uuid: uuid), Self.circle("Mole"), Self.area("Basin", Self.triangle),
    ])
    try gdal("UPDATE places SET uuid = upper('\(uuid)')")
    try gdal("UPDATE place_areas SET uuid = '\(uuid)'")
    try gdal("INSERT INTO places (geom, name, uuid) SELECT geom, 'Copy', upper(uuid) FROM places")
    let ids = try places().compactMap(\.place.uuid)
    #expect(Set(ids).count == 5 && ids.allSatisfy { $0 == $0.lowercased() })
    #expect(ids.contains(uuid))
  }

  @Test("after the highest possible id the first gap is used") func lastID() throws {
    try put([Self.circle("Quay")])
    try gdal("UPDATE places SET id = \(RecordIdentifier.highest)")
    try put([Self.circle("Mole")])
    try put([Self.circle("Pier")])
    #expect(try places().compactMap(\.place.name).sorted() == ["Mole", "Pier", "Quay"])
  }

  @Test("if a series of places fails, none is stored") func allOrNothing() throws {
    let store = try GeoPackageStore(path: path)
    #expect(throws: WrongLayer.self) {
      try PlaceEditor(store).putAll { put in
        #expect(try put(Self.circle("Quay")) { $0 })
        throw WrongLayer()
      }
    }
    try PlaceEditor(store).putAll { put in _ = try put(Self.circle("Mole")) { $0 } }
    try store.close()
    #expect(try places().compactMap(\.place.name) == ["Mole"])
  }

  @Test("a row with a value of another type is reported, and reading continues after it")
  func damagedRow() throws {
    try put([Self.circle("Quay"), Self.circle("Mole")])
    try gdal("UPDATE places SET radius_m = 'wide' WHERE name = 'Quay'")
    var cursor = try PlaceCursor(try StoreReader(path: path))
    #expect(throws: PortError.self) { _ = try cursor.next() }
    #expect(try cursor.next()?.place.name == "Mole")
  }

  @Test("a repair saves places and their index") func saved() throws {
    try put([Self.circle("Quay"), Self.area("Basin", Self.triangle)])
    let before = try places()
    let box = GeographicBox(west: 5.1, south: 52.05, east: 5.3, north: 52.2)
    #expect(try places(near: box) == before)
    _ = try StoreRepair(path: path)
    #expect(try places() == before)
    #expect(try places(near: box) == before)
    #expect(try StoreCheck(path: path).isSound)
  }

  // MARK: The index

  private static let seed: UInt64 = 20_261_124

  /// A box around a point.
  private static func box(_ at: Coordinate) -> GeographicBox {
    let (latitude, longitude) = (at.latitude.value, at.longitude.value)
    let half = 0.0005
    return GeographicBox(
      west: Sphere.normalizedLongitude(Degrees(longitude - half)),
      south: Degrees(max(-90, latitude - half)),
      east: Sphere.normalizedLongitude(Degrees(longitude + half)),
      north: Degrees(min(90, latitude + half)))
  }

  @Test("a place is found from wherever it reaches, also at the poles and the antimeridian")
  func found() throws {
    var chance = SplitMix(seed: Self.seed)
    var probes: [(name: String, at: Coordinate)] = []
    var rows: [PlaceRow] = []
    for number in 0..<400 {
      let name = "\(number)"
      let radius = Metres(pow10(Double.random(in: 0...7, using: &chance)))
      let centre = position(
        number % 5 == 0
          ? .random(in: 85...90, using: &chance) : .random(in: -90...90, using: &chance),
        number % 7 == 0
          ? .random(in: 179...180, using: &chance)
          : .random(in: -180...180, using: &chance))
      func edge(_ turn: Double, _ share: Double) -> Coordinate {
        Sphere.destination(from: centre, bearing: Degrees(turn), distance: radius * share)
      }
      if number % 2 == 0 {
        rows.append(Self.circle(name, at: centre, radius: radius))
        for _ in 0..<3 {
          let inside = edge(
            .random(in: 0..<360, using: &chance), .random(in: 0...0.999, using: &chance))
          probes.append((name, inside))
        }
      } else {
        let corners = stride(from: 0.0, to: 360, by: 30).map { edge($0, 0.5) }
        rows.append(Self.area(name, [[corners + corners.prefix(1)]]))
        probes += corners.prefix(3).map { (name, $0) }
        probes.append((name, centre))
      }
    }
    try put(rows)
    for (name, at) in probes {
      let names = try places(near: Self.box(at)).compactMap(\.place.name)
      #expect(names.contains(name), "\(name) from \(at)")
    }
  }

  private func pow10(_ exponent: Double) -> Double {
    (0..<Int(exponent)).reduce(1 + (exponent - exponent.rounded(.down)) * 9) { value, _ in
      value * 10
    }
  }

  @Test("of a hundred distant places the index gives the near ones, also after moves")
  func selective() throws {
    var rows = (0..<100).map { number in
      Self.circle("\(number)", at: position(Double(number) / 2, 5), radius: 1000)
    }
    rows.append(Self.circle("guide", at: nil))
    try put(rows)
    let device = "UPDATE places SET follows_device = 'guide' WHERE name = 'guide'"
    try gdal(device)
    let box = GeographicBox(west: 4.9, south: 9.9, east: 5.1, north: 10.6)
    #expect(try places(near: box).compactMap(\.place.name) == ["20", "21", "guide"])
    try gdal("UPDATE places SET geom = NULL WHERE name = '20'")
    try gdal("UPDATE places SET radius_m = 60000 WHERE name = '22'")
    try gdal("DELETE FROM places WHERE name = '21'")
    #expect(try places(near: box).compactMap(\.place.name) == ["22", "guide"])
  }

  // MARK: Other programs

  /// GDAL provides the functions that the triggers call; QGIS uses GDAL, too.
  private func gdal(_ sql: String) throws { try edit(path, bySQL: sql) }

  @Test("GDAL draws an area into an open store, and it is read")
  func drawn() throws {
    let store = try GeoPackageStore(path: path)
    let drawing = folder.file("drawn.geojson")
    try folder.write(
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Field",
      "radius_m":null},"geometry":{"type":"Polygon","coordinates":[[[5,52,3],[5.5,52,3],
      [5.5,52.5,3],[5,52,3]]]}}]}
      """, to: "drawn.geojson")
    let result = try run(
      "ogr2ogr", "-append", "-update", path, drawing, "-nln", "place_areas", "-nlt",
      "MULTIPOLYGON")
    #expect(result.status == 0, "\(result.output)")
    try store.write([.trackPoint(point(at: 0))])
    try store.close()
    let row = try #require(try places().first)
    guard case .area(let area) = row else { throw WrongLayer() }
    #expect(area.place.name == "Field" && area.polygons?.first?.first?.count == 4)
    #expect(area.place.uuid != nil && area.place.version == 1)
    let box = GeographicBox(west: 5.1, south: 52.1, east: 5.2, north: 52.2)
    #expect(try places(near: box) == [row])
  }

  @Test("a layer with another program's spatial index accepts new records")
  func foreignIndex() throws {
    try gdal("SELECT CreateSpatialIndex('track_points', 'geom')")
    let store = try GeoPackageStore(path: path)
    try store.write([.trackPoint(point(at: 0))])
    try store.close()
    #expect(
      try run("sqlite3", path, "SELECT count(*) FROM rtree_track_points_geom").output == "1\n")
  }

  @Test("bytes that are no polygons are refused, whatever counts they contain")
  func wildBytes() {
    let bytes = PolygonGeometry.encode(Self.triangle)
    #expect(bytes.withUnsafeBytes(PolygonGeometry.decode) == Self.triangle)
    for length in 0..<bytes.count {
      #expect(bytes.prefix(length).withUnsafeBytes(PolygonGeometry.decode) == nil)
    }
    var chance = SplitMix(seed: Self.seed)
    for _ in 0..<20_000 {
      var wild = bytes
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        wild[Int.random(in: 0..<wild.count, using: &chance)] = .random(in: 0...255, using: &chance)
      }
      let polygons = wild.withUnsafeBytes(PolygonGeometry.decode)
      #expect((polygons ?? []).joined().joined().count <= 5)
    }
  }
}
