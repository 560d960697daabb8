import Foundation
import Formats
import Places
import Core
import TestSupport
import Testing

/// Files that GDAL has read and rewritten, in its own form where it lacks a type.
@Suite struct OtherProgramsTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func convert(_ options: String..., from source: String, to target: String) throws {
    let arguments = options.joined(separator: " ")
    let result = try run(
      "sh", "-c",
      "ogr2ogr \(arguments) \(folder.file(target)) \(folder.file(source)) 2>&1")
    #expect(result.status == 0, "\(result.output)")
  }

  private func write(_ places: [Place]) throws {
    try Data(PlaceFileRun.text(places, as: .geojson)).write(
      to: URL(fileURLWithPath: folder.file("places.geojson")))
  }

  private func read(_ name: String) throws -> PlaceFileRun {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    let format = try #require(try PlaceFileFormat.detect(head: Array(bytes.prefix(4096))))
    return PlaceFileRun(Array(bytes), as: format)
  }

  private func places(_ seed: UInt64) throws -> [Place] {
    var random = RandomPlaces(seed: seed)
    random.hasControls = false
    random.hasBrackets = false
    return try random.places(20)
  }

  /// Compares all except tags, which GDAL writes in brackets with commas, and rounded numbers.
  private func expectSame(_ run: PlaceFileRun, _ places: [Place]) {
    #expect(run.errors.isEmpty)
    #expect(run.places.map(\.id) == places.map(\.id))
    for (read, place) in zip(run.places, places) {
      #expect(read.name == place.name)
      #expect(read.owner == place.owner)
      #expect(read.version == place.version)
      #expect(read.visibility == place.visibility)
      #expect(read.relationships == place.relationships)
      #expect(read.followers == place.followers)
      #expect(read.contents == place.contents)
      #expect(read.schedule == place.schedule)
      #expect(read.tags.isEmpty == place.tags.isEmpty)
      switch (read.perimeter, place.perimeter) {
      case (.circle(let a), .circle(let b)): #expect((a - b).magnitude < 1e-3)
      case (.polygons(let a), .polygons(let b)):
        #expect(
          a.map { [$0.outer.count] + $0.holes.map(\.count) }
            == b.map { [$0.outer.count] + $0.holes.map(\.count) })
      default: Issue.record("\(read.perimeter) is not \(place.perimeter)")
      }
    }
  }

  @Test("GDAL counts the written features", arguments: [PlaceFileFormat.geojson, .kml])
  func counted(format: PlaceFileFormat) throws {
    let places = try places(1)
    let path = folder.file("places.\(format.rawValue)")
    try Data(PlaceFileRun.text(places, as: format)).write(to: URL(fileURLWithPath: path))
    let summary = try run("ogrinfo", "-ro", "-al", "-so", path).output
    #expect(summary.contains("Feature Count: \(places.count)"), "\(summary)")
    if format == .kml { #expect(try run("xmllint", "--noout", path).status == 0) }
  }

  @Test("places survive a GeoPackage", arguments: 1...3)
  func geoPackage(seed: UInt64) throws {
    let places = try places(seed)
    try write(places)
    try convert(from: "places.geojson", to: "places.gpkg")
    try convert(from: "places.gpkg", to: "back.geojson")
    expectSame(try read("back.geojson"), places)
  }

  @Test("places survive GDAL's KML", arguments: ["KML", "LIBKML"]) func kml(driver: String) throws {
    let places = try places(4).filter { $0.region() != nil }
    try write(places)
    try convert("-f", driver, from: "places.geojson", to: "places.kml")
    expectSame(try read("places.kml"), places)
  }

  @Test("places survive GDAL's GPX") func gpx() throws {
    let places = try places(5).filter { place in
      guard case .fixed = place.location, case .circle = place.perimeter else { return false }
      return true
    }
    try write(places)
    try convert(
      "-f GPX -dsco GPX_USE_EXTENSIONS=YES", from: "places.geojson", to: "places.gpx")
    expectSame(try read("places.gpx"), places)
  }

  @Test("lines and sequences written by GDAL are read", arguments: ["NO", "YES"])
  func lines(rs: String) throws {
    let places = try places(6)
    try write(places)
    try convert("-f GeoJSONSeq -lco RS=\(rs)", from: "places.geojson", to: "places.geojsons")
    expectSame(try read("places.geojsons"), places)
  }

  @Test("another coordinate system is refused") func reprojected() throws {
    try write(try places(7).filter { $0.region() != nil })
    try convert("-t_srs EPSG:3395 -lco RFC7946=NO", from: "places.geojson", to: "far.geojson")
    #expect(try read("far.geojson").failure?.path == "crs")
  }
}
