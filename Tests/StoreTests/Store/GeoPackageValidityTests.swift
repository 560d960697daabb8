import Core
import Records
import TestSupport
import Testing

@testable import Store

/// The file as other programs see it: GDAL, and SQLite's own shell.
@Suite struct GeoPackageValidityTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
    let store = try GeoPackageStore(path: path)
    try store.write([
      .trackPoint(point(at: 0, position(52.0907, 5.1214))),
      .trackPoint(point(at: 60, position(-33.8688, 151.2093))),
      .visit(visit(1, from: 100, to: 900)),
      .destination(
        Destination(id: 3, position: position(52.1, 5.2), radius: 18, visits: 1, totalDwell: 800)),
      .session(session(7, at: 0, lasting: 20)), .event(LogEvent("gnss-on", "due"), time: start),
    ])
    try store.close()
  }

  @Test("GDAL opens every layer without a warning") func gdalOpensEveryLayer() throws {
    let summary = try run("ogrinfo", "-ro", "-so", "-al", path)
    #expect(summary.status == 0)
    #expect(!summary.output.contains("Warning") && !summary.output.contains("ERROR"))
    for table in Table.all {
      #expect(summary.output.contains("Layer name: \(table.name)\n"))
    }
    let layers = summary.output.components("Layer name: ")
    for (name, count) in [("track_points", 2), ("visits", 1), ("destinations", 1)] {
      let layer = try #require(layers.first { $0.hasPrefix(name + "\n") })
      #expect(layer.contains("Geometry: Point\n"))
      #expect(layer.contains("Feature Count: \(count)\n"))
      #expect(layer.contains(#"ID["EPSG",4326]"#))
    }
    let sessions = try #require(layers.first { $0.hasPrefix("gnss_sessions\n") })
    #expect(sessions.contains("Feature Count: 1\n") && sessions.contains("charge_mAh: Real"))
    #expect(sessions.contains("power_on: DateTime"))
  }

  @Test("GDAL reads the places and the times") func gdalReadsPlacesAndTimes() throws {
    let features = try run("ogrinfo", "-ro", "-al", path, "track_points").output
    #expect(features.contains("POINT (5.1214 52.0907)"))
    #expect(features.contains("POINT (151.2093 -33.8688)"))
    #expect(features.contains("time (DateTime) = 2026/05/01 00:01:00+00"))
  }

  @Test("the extent of a layer contains all its places") func theExtentHoldsEveryPlace() throws {
    let summary = try run("ogrinfo", "-ro", "-so", path, "track_points").output
    #expect(summary.contains("Extent: (5.120000, -33.870000) - (151.210000, 52.100000)"))
  }

  /// Requirements 1-16 of OGC 12-128r18 that a file without tiles can violate.
  @Test("the file has what the GeoPackage standard requires")
  func theRequiredTablesAreThere() throws {
    func sql(_ text: String) throws -> String { try run("sqlite3", "-batch", path, text).output }
    #expect(try sql("PRAGMA application_id; PRAGMA user_version") == "1196444487\n10300\n")
    #expect(try sql("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok\n")
    #expect(
      try sql("SELECT srs_id FROM gpkg_spatial_ref_sys ORDER BY 1") == "-1\n0\n4326\n")
    #expect(
      try sql(
        """
        SELECT count(*) FROM gpkg_contents WHERE table_name NOT IN
          (SELECT name FROM sqlite_schema WHERE type IN ('table', 'view'))
          OR last_change NOT GLOB '????-??-??T??:??:??.???Z'
        """) == "0\n")
    #expect(
      try sql(
        """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'gpkg_%'
          AND name NOT LIKE 'sqlite_%' AND name <> 'track_lines_types'
          AND name NOT LIKE 'place_index%' AND name NOT IN ('place_edits', 'record_changes')
          AND name NOT IN (SELECT table_name FROM gpkg_contents)
        """) == "")
    #expect(
      try sql("SELECT hex(substr(geom, 1, 8)) FROM track_points LIMIT 1") == "47500001E6100000\n")
  }

  @Test(
    "a damaged geometry is not a place",
    arguments: [
      ("4750000000000000", "too short"),
      ("5850000 1E6100000", "no GeoPackage"),
    ])
  func damagedGeometriesAreRefused(hex: String, why: String) {
    let bytes = [UInt8](hex.utf8)
    #expect(bytes.withUnsafeBytes { PointGeometry.decode($0) } == nil, "\(why)")
  }

  @Test("a geometry of another program is read") func geometriesOfOtherProgramsAreRead() {
    // Big endian, with an XY envelope and a third ordinate.
    var bytes: [UInt8] = [0x47, 0x50, 0, 0b0000_0010, 0, 0, 0x10, 0xE6]
    bytes += [UInt8](repeating: 0, count: 32) + [0, 0, 0, 0x03, 0xE9]
    for ordinate in [5.25, 52.5, 7.0] {
      withUnsafeBytes(of: ordinate.bitPattern.bigEndian) { bytes += Array($0) }
    }
    #expect(bytes.withUnsafeBytes { PointGeometry.decode($0) } == position(52.5, 5.25))
  }
}

extension String {
  func components(_ separator: String) -> [String] {
    var parts: [String] = []
    var rest = Substring(self)
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
