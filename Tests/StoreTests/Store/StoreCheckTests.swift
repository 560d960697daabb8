import Ports
import Core
import TestSupport
import Testing

@testable import Store

/// What a check finds, and that it changes nothing.
@Suite struct StoreCheckTests {
  let life: Life

  init() throws { life = try Life(points: 100) }

  @Test("a sound store yields only its figures") func sound() throws {
    let before = try life.bytes()
    let check = try StoreCheck(path: life.path)
    #expect(check.isSound && !check.needsRepair)
    #expect(check.rows.first { $0.table == "track_points" }?.count == 100)
    #expect(check.bytes == before.count)
    #expect(try life.bytes() == before && life.folder.files == ["track.gpkg"])
  }

  @Test("the check runs beside the daemon") func besideTheDaemon() throws {
    let store = try GeoPackageStore(path: life.path, lock: try StoreLock(path: life.path))
    try store.write([.trackPoint(point(at: .days(20)))])
    let check = try StoreCheck(path: life.path)
    #expect(check.isSound, "\(check.problems)")
    #expect(check.rows.first { $0.table == "track_points" }?.count == 101)
    try store.write([.trackPoint(point(at: .days(21)))])
    try store.close()
  }

  @Test(
    "each kind of problem",
    arguments: [
      ("DROP TABLE gpkg_geometry_columns", StoreProblem.Kind.schema, true),
      ("DROP TABLE visits", .schema, true),
      ("DELETE FROM gpkg_contents WHERE table_name = 'events'", .schema, true),
      ("DELETE FROM gpkg_spatial_ref_sys WHERE srs_id = 0", .schema, true),
      ("DELETE FROM migrations WHERE id = 14", .schema, true),
      ("DROP VIEW track_lines", .schema, true),
      ("DROP TABLE track_lines_types", .schema, true),
      ("DROP TABLE place_index", .schema, true),
      ("DELETE FROM gpkg_geometry_columns WHERE table_name = 'track_lines'", .schema, true),
      ("UPDATE gpkg_contents SET max_y = 52 WHERE table_name = 'track_lines'", .extent, true),
      ("UPDATE gnss_sessions SET outcome = 'lost' WHERE id = 4", .row, true),
      ("UPDATE coarse_observations SET latitude_deg = 'north'", .row, true),
      ("UPDATE meta SET value = x'00'", .row, true),
      ("UPDATE gpkg_contents SET max_y = 52", .extent, true),
      ("UPDATE gpkg_contents SET min_x = 10, max_x = 5", .extent, true),
      ("DELETE FROM destinations WHERE id = 2", .reference, false),
      ("DELETE FROM gnss_sessions WHERE id = 7", .reference, false),
      ("UPDATE visits SET departure = '2020-01-01T00:00:00.000Z' WHERE id = 3", .order, false),
      (
        "UPDATE track_points SET id = 12 WHERE id = (SELECT min(id) FROM track_points)", .order,
        false
      ),
    ])
  func problems(sql: String, kind: StoreProblem.Kind, asksForRepair: Bool) throws {
    try life.sql(sql)
    let check = try StoreCheck(path: life.path)
    #expect(Set(check.problems.map(\.kind)) == [kind], "\(check.problems)")
    #expect(check.needsRepair == asksForRepair)
    guard asksForRepair else { return }
    _ = try StoreRepair(path: life.path)
    let after = try StoreCheck(path: life.path)
    #expect(after.isSound, "\(after.problems)")
  }

  @Test("a thousand wrong rows are counted, not listed") func many() throws {
    try life.sql("UPDATE track_points SET source = 'the stars'")
    let check = try StoreCheck(path: life.path)
    #expect(check.problems.count == 50 && check.omitted == [.row: 50])
  }

  @Test("other files are errors and not results") func others() throws {
    #expect(throws: PortError.self) { try StoreCheck(path: life.folder.file("none.gpkg")) }
    let other = life.folder.file("other.gpkg")
    _ = try run("sqlite3", other, "CREATE TABLE bookmarks (url TEXT)")
    #expect(throws: PortError.self) { try StoreCheck(path: other) }
  }
}
