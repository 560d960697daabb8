import Formats
import Testing

@Suite struct PlaceFileFormatTests {
  @Test(
    "a file's format is recognised by its content, otherwise by its name",
    arguments: [
      ("{\"type\":\"FeatureCollection\"", nil, .geojson),
      ("\u{1E}{\"type\":\"Feature\"", "a.otrw", .geojson),
      ("{\"type\":\"Point\",\"coordinates\":[", nil, .geojson),
      ("{\"_type\":\"waypoints\"", "a.geojson", .owntracks), ("[{\"_type\":", nil, .owntracks),
      ("{\"type\":\"Feature\",\"properties\":{\"_type\":1", nil, .geojson),
      ("<?xml version=\"1.0\"?>\n<gpx ", nil, .gpx), ("<g:gpx ", nil, .gpx),
      ("\u{FEFF}<kml xmlns=", "a.gpx", .kml), ("{}", "places.GeoJSON", .geojson),
      ("", "places.kml", .kml), ("{}", nil, nil), ("<html>", nil, nil), ("lat,lon", "a.csv", nil),
    ] as [(String, String?, PlaceFileFormat?)])
  func detection(head: String, name: String?, format: PlaceFileFormat?) throws {
    #expect(try PlaceFileFormat.detect(head: Array(head.utf8), fileName: name) == format)
  }

  @Test(
    "a file that can be converted is refused with the way to do it",
    arguments: [
      (
        [0x50, 0x4B, 0x03, 0x04, 0x14],
        "it is packed, like KMZ: unzip it first, and use the .kml file in it"
      ),
      ([0x1F, 0x8B, 0x08], "it is packed: unpack it with gunzip first"),
      (
        Array("SQLite format 3\u{0}".utf8),
        "it is a database, like GeoPackage: convert it with ogr2ogr places.geojson"
      ),
      ([0xFF, 0xFE, 0x3C, 0x00], "it is UTF-16 text; save it as UTF-8"),
    ] as [([UInt8], String)])
  func refusals(head: [UInt8], reason: String) {
    do throws(PlaceFileError) {
      _ = try PlaceFileFormat.detect(head: head, fileName: "places.kml")
      Issue.record("not refused")
    } catch {
      #expect(error.description == reason)
    }
  }
}
