import Core
import Records
import TestSupport
import Testing

@testable import Store

/// The trajectory as lines, as other programs see them.
@Suite struct TrackLinesTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
  }

  private func write(_ points: [(seconds: Seconds, place: Coordinate)]) throws {
    let store = try GeoPackageStore(path: path)
    try store.write(points.map { .trackPoint(point(at: $0.seconds, $0.place)) })
    try store.close()
  }

  private func sql(_ text: String) throws -> String {
    let ended = try run("sqlite3", "-batch", path, text)
    #expect(ended.status == 0, "\(ended.output)")
    return ended.output
  }

  private func layer() throws -> String {
    try run("ogrinfo", "-ro", "-al", path, "track_lines").output
  }

  @Test("GDAL draws a line between points, and none over a gap") func lines() throws {
    try write([
      (0, position(52.5, 5.25)), (60, position(52.25, 5.5)), (960, position(52.5, 5.75)),
      (1861, position(53.25, 6.5)), (1900, position(53.5, 6.5)),
    ])
    let layer = try layer()
    #expect(!layer.contains("Warning") && !layer.contains("ERROR"), "\(layer)")
    #expect(layer.contains("Geometry: Line String\n") && layer.contains("Feature Count: 3\n"))
    #expect(layer.contains(#"ID["EPSG",4326]"#) && layer.contains("FID Column = id\n"))
    #expect(layer.contains("Extent: (5.250000, 52.250000) - (6.500000, 53.500000)"))
    #expect(layer.contains("LINESTRING (5.25 52.5,5.5 52.25)"))
    #expect(layer.contains("LINESTRING (5.5 52.25,5.75 52.5)"))
    #expect(layer.contains("LINESTRING (6.5 53.25,6.5 53.5)"))
    #expect(layer.contains("start (DateTime) = 2026/05/01 00:00:00+00"))
    #expect(layer.contains("finish (DateTime) = 2026/05/01 00:01:00+00"))
    #expect(layer.contains("start_accuracy_m (Real) = 4.5"))
  }

  @Test("no line goes around the Earth where the board crosses the antimeridian")
  func antimeridian() throws {
    try write([
      (0, position(0.5, 179.75)), (60, position(0.5, -179.75)), (120, position(0.5, -179.5)),
      (180, position(0.5, 179.5)), (240, position(0.5, 128.5)), (1300, position(0.5, -1.5)),
      (1360, position(0.5, 1.5)), (2400, position(0.5, 127.5)), (2460, position(0.5, -0.25)),
    ])
    let layer = try layer()
    #expect(layer.contains("Feature Count: 4\n"))
    for line in [
      "-179.75 0.5,-179.5 0.5", "179.5 0.5,128.5 0.5", "-1.5 0.5,1.5 0.5", "127.5 0.5,-0.25 0.5",
    ] {
      #expect(layer.contains("LINESTRING (\(line))"), "\(line)")
    }
  }

  @Test("foreign rows are skipped") func foreign() throws {
    try write([
      (0, position(52.5, 5.5)), (60, position(52.5, 6.5)), (120, position(52.5, 7.5)),
      (180, position(52.5, 8.5)), (240, position(52.5, 9.5)), (300, position(52.5, 10.5)),
    ])
    // Text, and a point with a height.
    _ = try sql(
      """
      UPDATE track_points SET geom = 'POINT (5 52)' WHERE time LIKE '%00:01:00%';
      UPDATE track_points SET geom = CAST(geom || x'0000000000000000' AS BLOB)
      WHERE time LIKE '%00:04:00%'
      """)
    let layer = try layer()
    #expect(
      layer.contains("Feature Count: 1\n") && layer.contains("LINESTRING (7.5 52.5,8.5 52.5)"))
  }

  @Test("one line of many is found by the key, without reading the others") func plan() throws {
    try write([(0, position(52, 5))])
    let plan = try sql("EXPLAIN QUERY PLAN SELECT * FROM track_lines WHERE id = 5")
    #expect(plan.contains("SEARCH b USING INTEGER PRIMARY KEY (rowid=?)"), "\(plan)")
    #expect(plan.contains("SEARCH track_points USING INTEGER PRIMARY KEY (rowid<?)"))
    #expect(!plan.contains("SCAN a") && !plan.contains("SCAN b"))
    #expect(!plan.contains("SCAN track_points"))
  }

  @Test("an empty store has an empty layer of lines") func empty() throws {
    try write([])
    let layer = try layer()
    #expect(!layer.contains("Warning") && layer.contains("Geometry: Line String\n"))
    #expect(layer.contains("Feature Count: 0\n"))
  }

  @Test("a store of an older version gets the lines, with the box and the time of its points")
  func migration() throws {
    let last = try #require(Migration.all.firstIndex { $0.name == "lines-3" })
    let older = try Connection(path: path, access: .readWriteCreating)
    _ = try Migration.apply(Array(Migration.all[..<last]), to: older)
    var contents = try Contents(of: older)
    for (index, longitude) in [5.5, 5.25].enumerated() {
      let point = point(at: Seconds(Double(index) * 60), position(52.5, longitude))
      try RecordWriter(older).write(.trackPoint(point), &contents)
    }
    try contents.write(to: older, closing: true)
    older.close()
    let store = try GeoPackageStore(path: path)
    try store.close()
    let layer = try layer()
    #expect(!layer.contains("Warning") && layer.contains("LINESTRING (5.5 52.5,5.25 52.5)"))
    let entry =
      "SELECT last_change, min_x, min_y, max_x, max_y FROM gpkg_contents WHERE table_name = "
    #expect(try sql(entry + "'track_lines'") == sql(entry + "'track_points'"))
    #expect(try StoreCheck(path: path).isSound)
  }

  @Test("the box and time of the lines follow those of the points") func extent() throws {
    try write([(0, position(52, 5)), (60, position(52.5, 5.5))])
    try write([(7200, position(-33, 151))])
    #expect(
      try sql(
        """
        SELECT min_x, min_y, max_x, max_y, last_change FROM gpkg_contents
        WHERE table_name = 'track_lines'
        """) == "5.0|-33.0|151.0|52.5|2026-05-01T02:00:00.000Z\n")
    #expect(try StoreCheck(path: path).isSound)
  }
}
