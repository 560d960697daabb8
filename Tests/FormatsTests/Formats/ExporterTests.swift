import Formats
import Foundation
import Core
import Records
import TestSupport
import Testing

/// Exports as other programs and Godwit's own readers read them.
@Suite struct ExporterTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func write(_ format: ExportFormat, points: [TrackPoint]) throws -> String {
    let path = folder.file("track.\(format.rawValue)")
    try Data(ExportSamples.render(format, points: points)).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func write(_ format: ExportFormat) throws -> String {
    try write(format, points: ExportSamples.points)
  }

  @Test("GPX passes its schema, with and without points", arguments: [true, false])
  func gpxPassesItsSchema(hasPoints: Bool) throws {
    let schema = folder.file("gpx.xsd")
    try Data(GPXSchema.text.utf8).write(to: URL(fileURLWithPath: schema))
    let path = try write(.gpx, points: hasPoints ? ExportSamples.points : [])
    let check = try run("xmllint", "--noout", "--nonet", "--schema", schema, path)
    #expect(check.status == 0, "\(check.output)")
  }

  /// Shows that the schema in these tests detects errors.
  @Test(
    "the schema refuses invalid files",
    arguments: [
      ("<type>visit</type>", "<kind>visit</kind>"), (" lat=\"52", " lat=\"152"),
      ("minlat=\"-33", "minlat=\"-133"),
      ("1.1\" c", "1.0\" c"),
      ("T00:00:00.000Z", "T00:00:61.000Z"), ("</trkseg>\n</trk>", "</trkseg>\n</trk><wpt/>"),
    ])
  func theSchemaRefuses(sound: String, broken: String) throws {
    let schema = folder.file("gpx.xsd")
    try Data(GPXSchema.text.utf8).write(to: URL(fileURLWithPath: schema))
    let text = String(decoding: ExportSamples.render(.gpx), as: UTF8.self)
    #expect(text.contains(sound))
    let path = folder.file("broken.gpx")
    try Data(text.replacingOccurrences(of: sound, with: broken).utf8).write(
      to: URL(fileURLWithPath: path))
    #expect(try run("xmllint", "--noout", "--nonet", "--schema", schema, path).status != 0)
  }

  @Test("GDAL reads the GPX") func gpxInGDAL() throws {
    let summary = try run("ogrinfo", "-ro", "-al", try write(.gpx)).output
    #expect(summary.contains("Layer name: waypoints") && summary.contains("Feature Count: 3"))
    #expect(summary.contains("name (String) = Café <\"A&B\"> 北"))
    #expect(summary.contains("Layer name: track_points") && summary.contains("Feature Count: 16"))
    #expect(summary.contains("MULTILINESTRING"))
    // Segments are split at the gap and at the antimeridian; the last point is alone in its own.
    #expect(summary.contains("track_seg_id (Integer) = 3"))
    #expect(!summary.contains("track_seg_id (Integer) = 4"))
  }

  @Test("exported GPX reads back as the same samples") func gpxIsReadBack() throws {
    let samples = try TraceReader.samples(of: ExportSamples.render(.gpx), as: .gpx)
    try expectSame(samples)
  }

  @Test("exported CSV is recognised and reads back as the same samples")
  func csvIsReadBack() throws {
    let bytes = ExportSamples.render(.csv)
    #expect(TraceFormat.detect(head: bytes) == .csv)
    try expectSame(try TraceReader.samples(of: bytes, as: .csv))
  }

  private func expectSame(_ samples: [TraceSample]) throws {
    #expect(samples.count == ExportSamples.points.count)
    for (sample, point) in zip(samples, ExportSamples.points) {
      let location = point.location
      #expect(sample.time == location.time && sample.altitude == location.altitude)
      #expect(sample.accuracy == location.accuracy && sample.speed == location.speed)
      #expect((sample.position.latitude - location.position.latitude).magnitude < 0.51e-7)
      // -180 and 180 degrees are one meridian.
      let degrees = (sample.position.longitude - location.position.longitude).magnitude
      #expect(degrees < 0.51e-7 || degrees == 360)
    }
  }

  @Test("GeoJSON is one collection of destinations, visits and tracks that GDAL reads")
  func geoJSONIsAFeatureCollection() throws {
    let json = try JSONValue(parsing: ExportSamples.render(.geojson))
    #expect(json["type"]?.string == "FeatureCollection")
    let features = try #require(json["features"]?.array)
    let kinds = features.map { $0["properties"]?["kind"]?.string ?? "" }
    #expect(
      kinds == ["destination", "destination", "visit", "visit"]
        + Array(repeating: "track", count: 4))
    let line = try #require(features[4]["geometry"])
    #expect(line["type"]?.string == "LineString")
    #expect(line["coordinates"]?.array?.count == 10)
    #expect(line["coordinates"]?.array?.first?.array?.map(\.number) == [5.1, 52.1])
    #expect(features[4]["properties"]?["coordTimes"]?.array?.count == 10)
    #expect(features[7]["geometry"]?["type"]?.string == "Point")
    #expect(features[3]["properties"]?["departure"] == .null)
    let summary = try run("ogrinfo", "-ro", "-al", "-so", try write(.geojson))
    #expect(summary.status == 0 && summary.output.contains("Feature Count: 8"))
  }

  @Test("GDAL reads the KML") func kmlInGDAL() throws {
    let path = try write(.kml)
    #expect(try run("xmllint", "--noout", path).status == 0)
    let features = try run("ogrinfo", "-ro", "-al", path).output
    #expect(features.contains("Feature Count: 8"))
    #expect(
      features.contains("LINESTRING (5.1 52.1") || features.contains("LINESTRING Z (5.1 52.1"))
    #expect(features.contains("Café <\"A&B\"> 北"))
  }

  @Test("OwnTracks lines match those of its recorder") func ownTracksLinesLookLikeTheRecorders()
    throws
  {
    let lines = String(decoding: ExportSamples.render(.owntracks), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.count == ExportSamples.points.count)
    #expect(
      lines[1] == """
        2026-05-01T00:01:00Z\t*                 \t{"_type":"location","tst":1777593660,\
        "lat":52.1010000,"lon":5.1000000,"acc":4,"alt":12,"vel":5,"cog":0,"tid":"gw"}
        """)
  }

  @Test("an empty store exports as a valid file in every format")
  func emptyStoresMakeValidFiles() throws {
    for format in ExportFormat.allCases {
      var exporter = format.exporter()
      exporter.finish()
      let path = folder.file("empty.\(format.rawValue)")
      try Data(exporter.output).write(to: URL(fileURLWithPath: path))
      switch format {
      case .gpx, .kml, .svg: #expect(try run("xmllint", "--noout", path).status == 0)
      case .geojson: #expect(try JSONValue(parsing: exporter.output)["features"] == .array([]))
      case .csv: #expect(try TraceReader.samples(of: exporter.output, as: .csv).isEmpty)
      case .movebank: #expect(exporter.output.filter { $0 == UInt8(ascii: "\n") }.count == 1)
      case .owntracks: #expect(exporter.output.isEmpty)
      }
    }
  }

  @Test("flushing the output in between does not change it")
  func emptyingTheOutputOnTheWayChangesNothing() {
    for format in ExportFormat.allCases {
      var exporter = ExportSamples.exporter(format)
      var pieces: [UInt8] = []
      func spill() {
        pieces += exporter.output
        exporter.output.removeAll(keepingCapacity: true)
      }
      for destination in ExportSamples.destinations { exporter.destination(destination) }
      for visit in ExportSamples.visits {
        exporter.visit(visit)
        spill()
      }
      for point in ExportSamples.points {
        exporter.point(point)
        spill()
      }
      exporter.finish()
      spill()
      #expect(pieces == ExportSamples.render(format))
    }
  }

  @Test("long lines are split into parts that share a point")
  func longLinesAreCutIntoPartsThatMeet() throws {
    let points = (0..<4500).map { ExportSamples.point(Double($0), 52 + Double($0) * 1e-5, 5) }
    let json = try JSONValue(parsing: ExportSamples.render(.geojson, points: points))
    let lines = try #require(json["features"]?.array).dropFirst(4)
      .compactMap { $0["geometry"]?["coordinates"]?.array }
    #expect(lines.map(\.count) == [2000, 2000, 502])
    #expect(lines[0].last == lines[1].first && lines[1].last == lines[2].first)
  }

  @Test("NaN and infinity are left out", arguments: ExportFormat.allCases)
  func numbersAreFinite(format: ExportFormat) {
    var exporter = format.exporter()
    var point = ExportSamples.point(0, 52, 5)
    point.location.altitude = Metres(.infinity)
    point.location.speed = MetresPerSecond(.nan)
    point.location.accuracy = Metres(-.infinity)
    exporter.point(point)
    exporter.finish()
    let text = String(decoding: exporter.output, as: UTF8.self)
    #expect(!text.contains("inf") && !text.contains("nan"), "\(text)")
  }
}
