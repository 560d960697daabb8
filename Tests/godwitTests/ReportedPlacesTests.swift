import TestSupport
import Testing

/// Files of places that other programs have written or refused.
@Suite(.enabled(if: ReportedFiles.isHere, ReportedFiles.absence))
struct ReportedPlacesTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  struct Places: CustomTestStringConvertible, Sendable {
    let name: String
    let taken: Int
    let refused: Int
    /// The message on each entry that is refused or left out.
    var says: [String] = []

    var testDescription: String { name }
  }

  static let imported: [Places] = [
    .init(name: "90-kml-spaces.kml", taken: 0, refused: 1, says: [#""5.1," is not a position"#]),
    .init(name: "91-kml-leading-comma.kml", taken: 0, refused: 2, says: ["is not a position"]),
    .init(name: "92-kml-all-comma.kml", taken: 0, refused: 1, says: ["is not a position"]),
    .init(name: "93-kml-blank-sep.kml", taken: 0, refused: 1, says: [#""5.1" is not a position"#]),
    .init(name: "94-kml-decimal-comma.kml", taken: 0, refused: 1, says: ["is not a position"]),
    .init(name: "95-kml-address.kml", taken: 0, refused: 1, says: ["geometry: it is missing"]),
    .init(name: "96-kml-gxtrack.kml", taken: 0, refused: 1, says: ["Track: it has no interior"]),
    .init(name: "97-kml-trailing-comma.kml", taken: 1, refused: 0),
    .init(name: "98-kml-swapped.kml", taken: 0, refused: 1, says: ["is not a position"]),
    .init(
      name: "100-kml-linestring.kml", taken: 1, refused: 1, says: ["LineString: it has no interior"]
    ),
    .init(name: "101-kml-noname.kml", taken: 2, refused: 0, says: ["named by its number"]),
    .init(name: "104-multipoint.geojson", taken: 0, refused: 1, says: ["separate them"]),
    .init(name: "105-google-saved.json", taken: 2, refused: 1, says: ["its position is 0, 0"]),
    .init(name: "110-nan.geojson", taken: 1, refused: 1, says: ["JSON has no NaN"]),
    .init(name: "112-no-crs-3857.geojson", taken: 0, refused: 1, says: ["is not a position"]),
    .init(name: "113-owntracks.otrw", taken: 6, refused: 1, says: ["is not a position"]),
    .init(name: "114-ha-zones.json", taken: 0, refused: 1, says: ["it has no type"]),
    .init(name: "115-wpt.gpx", taken: 2, refused: 3, says: ["numbers of degrees", "&nbsp;"]),
    .init(name: "116-overpass.json", taken: 0, refused: 1, says: ["it has no type"]),
    .init(
      name: "118-property-collisions.geojson", taken: 73, refused: 0,
      says: [#""location" is not imported"#, #""tags" is not imported"#]),
    .init(
      name: "119-gpx-location-ext.gpx", taken: 1, refused: 0,
      says: [#""location" is not imported"#]),
    .init(
      name: "119-kml-location-column.kml", taken: 2, refused: 0,
      says: [#""Location" is not imported"#]),
    .init(
      name: "119-owntracks-ok.json", taken: 1, refused: 0,
      says: [#"not imported: "location""#]),
    .init(name: "119-takeout-2025.geojson", taken: 1, refused: 1, says: ["its position is 0, 0"]),
  ]

  @Test("places are imported, and other entries are reported", arguments: imported)
  func places(row: Places) throws {
    let found = try importing(row.name)
    let text = found.output + found.messages
    let places = row.taken == 1 ? "1 place" : "\(row.taken) places"
    #expect(text.contains("\(places) imported, \(row.refused) refused"), "\(text)")
    #expect((found.exitCode == 1) == (row.taken == 0), "\(text)")
    for words in row.says { #expect(text.contains(words), "\(text)") }
  }

  static let refused: [(name: String, words: String)] = [
    ("102-kml-networklink.kml", "it only links to"), ("103-places.kmz", "unzip it first"),
    ("109-trailing-comma.geojson", "not JSON at byte 138"),
    ("111-crs3857.geojson", "ogr2ogr"), ("117-csv-places.csv", "is not a known file of places"),
  ]

  @Test("unreadable files are refused with the reason", arguments: refused)
  func refusal(name: String, words: String) throws {
    let found = try importing(name)
    #expect(found.exitCode == 1 && found.messages.contains(words), "\(found.messages)")
  }

  private func importing(_ name: String) throws -> Program.Outcome {
    try Program.run(
      "places", "import", ReportedFiles.path(name), "--store", scratch.file("places.gpkg"))
  }
}
