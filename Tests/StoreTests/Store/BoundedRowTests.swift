import Core
import Ports
import Records
import TestSupport
import Testing

@testable import Store

/// Rows of user-edited tables with more content than a reader should load.
@Suite struct BoundedRowTests {
  private let folder: ScratchFolder
  private let store: GeoPackageStore
  private var path: String { folder.file("life.gpkg") }

  init() throws {
    folder = try ScratchFolder()
    store = try GeoPackageStore(path: folder.file("life.gpkg"), mark: 1)
    var good = StoredAlert(id: 0)
    good.name = "good"
    good.kind = "enter"
    _ = try AlertEditor(store).add(good)
    var place = StoredPlace()
    place.name = "Home"
    place.beacons = "a"
    try PlaceEditor(store).put([
      .circle(StoredCircle(id: 0, centre: position(52.1, 5.2), radius: 50, place)),
      .area(
        StoredArea(
          id: 0,
          polygons: [[[position(52, 5), position(52, 6), position(53, 5), position(52, 5)]]],
          latitude: nil, longitude: nil, place)),
    ])
  }

  /// Another row like the first one, except for this column.
  private func put(_ column: String, _ value: String, into table: String) throws {
    let layout = try #require(Table.ofRecords.first { $0.name == table }?.layout)
    let names = layout.columns.map(\.name).filter { $0 != "uuid" }.joined(separator: ", ")
    try sql("INSERT INTO \(table) (\(names)) SELECT \(names) FROM \(table) LIMIT 1")
    let change = "UPDATE \(table) SET \(column) = \(value) WHERE id = 2"
    // The program has no geometry functions, but has enough memory.
    if column == "geom" { return try sql(change) }
    #expect(try run("sqlite3", path, change).status == 0)
  }

  private func sql(_ text: String) throws {
    let connection = try Connection(path: path, access: .readWriteCreating)
    defer { connection.close() }
    try connection.execute(text)
  }

  private static func text(_ bytes: Int) -> String { "printf('%.*c', \(bytes), 'x')" }

  @Test(
    "an alert with a text that is too long is reported with its column, and the others work",
    arguments: [
      ("name", 40_000_000), ("name", 20_000_000), ("schedule", 40_000), ("is_enabled", 40_000_000),
      ("radius_m", 40_000_000),
    ])
  func alerts(column: String, bytes: Int) throws {
    try put(column, Self.text(bytes), into: "alerts")
    let found = try store.alerts()
    #expect(found.rows.map(\.name) == ["good"])
    #expect(found.remarks.count == 1)
    #expect(found.remarks.first?.contains("in alerts, id 2, column \(column)") == true)
  }

  @Test("an alert whose texts are too long together is reported") func together() throws {
    try put("tag", Self.text(20_000), into: "alerts")
    try sql("UPDATE alerts SET schedule = tag WHERE id = 2")
    let found = try store.alerts()
    #expect(found.rows.map(\.name) == ["good"])
    #expect(found.remarks.first?.contains("alert 2: its texts have more than") == true)
  }

  @Test(
    "a place with a value that is too long is reported with its column, the others are read",
    arguments: [
      ("places", "description", 40_000_000), ("places", "contents", 5_000_000),
      ("places", "beacons", 40_000_000), ("places", "valid_from", 300_000),
      ("place_areas", "geom", 11_000_000), ("place_areas", "name", 300_000),
    ])
  func places(table: String, column: String, bytes: Int) throws {
    try put(column, column == "geom" ? "zeroblob(\(bytes))" : Self.text(bytes), into: table)
    let message = "in \(table), id 2, column \(column)"
    var cursor = try PlaceCursor(StoreReader(path: path))
    var remarks: [String] = []
    var names: [String?] = []
    while let row = try cursor.nextReadable({ remarks.append($0) }) { names.append(row.place.name) }
    #expect(names == ["Home", "Home"] && remarks.count == 1)
    #expect(remarks.first?.contains(message) == true, "\(remarks)")
    var count = 0
    let reading = try store.placesWithBeacons(atMost: 9) { _ in count += 1 }
    #expect(count == 2 && reading.remarks.first?.contains(message) == true)
    if column != "geom" {
      let box = GeographicBox(west: 5, south: 52, east: 6, north: 53)
      let near = try store.places(near: box, atMost: 9) { _ in count += 1 }
      #expect(count == 4 && near.remarks.first?.contains(message) == true)
    }
  }

  @Test("the check reports it, and a repair leaves it out") func care() throws {
    try put("name", Self.text(100_000), into: "alerts")
    try store.close()
    let check = try StoreCheck(path: path)
    #expect(check.problems.map(\.kind) == [.row] && check.problems.first?.id == 2)
    #expect(try StoreRepair(path: path).refused == 1)
    let repaired = try StoreCheck(path: path)
    #expect(repaired.isSound, "\(repaired.problems)")
  }

  // MARK: Many

  @Test("disabled alerts use no capacity, and beyond it the first one is reported")
  func most() throws {
    let most = StoredAlert.most
    let numbers = "WITH n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT \(most))"
    try sql(
      "\(numbers) INSERT INTO alerts (id, name, kind, is_enabled) "
        + "SELECT 100 + x, x, 'enter', 0 FROM n")
    var later = StoredAlert(id: 0)
    later.name = "later"
    later.kind = "enter"
    later.id = try AlertEditor(store).add(later)
    #expect(try store.alerts().rows.map(\.name) == ["good", "later"])
    #expect(try store.alerts().firstBeyond == nil)
    try sql("UPDATE alerts SET is_enabled = 1 WHERE id > 100 AND id < \(later.id)")
    let full = try store.alerts()
    #expect(full.rows.count == most && full.firstBeyond == 100 + Int64(most))
    let error = thrown(PortError.self) { _ = try AlertEditor(store).add(later) }
    #expect(error?.message.contains("which is the maximum") == true, "\(error as Any)")
    var off = later
    off.isEnabled = false
    try AlertEditor(store).replace(later, with: off)
    #expect(throws: PortError.self) { try AlertEditor(store).replace(off, with: later) }
  }

  @Test("unreadable notices do not block the others") func notices() throws {
    try sql(
      """
      WITH n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 200)
      INSERT INTO notices (id, time, alert_name, kind, text, is_test, command)
      SELECT x, '2026-01-01T00:00:00.000Z', x'00ff', 'enter', 't', 1, 'waiting' FROM n;
      INSERT INTO notices (id, time, alert_name, kind, text, is_test, command)
      VALUES (900, '2026-01-01T00:00:00.000Z', 'good', 'enter', 't', 1, 'waiting');
      """)
    #expect(try store.waitingNotices(atMost: 100).map(\.id) == [900])
  }
}
