import Foundation
import TestSupport
import Testing

/// `places import` of files that are valid, but contain no places.
@Suite struct PlacelessFilesTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  static let files: [(name: String, text: String, told: String)] = [
    (
      "ways.gpx",
      """
      <gpx version="1.1"><trk><trkseg><trkpt lat="52" lon="5"/></trkseg></trk>
      <rte><rtept lat="52.1" lon="5.1"><name>A</name></rtept></rte><rte/></gpx>
      """, "it has 1 track and 2 routes, which are not places"
    ),
    ("nothing.gpx", #"<gpx version="1.1"></gpx>"#, "it has no waypoint"),
    (
      "link.kml",
      """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document><NetworkLink>
      <name>Mine</name>
      <Link><href>https://maps.example/kml?mid=1&amp;x=2</href></Link></NetworkLink>
      </Document></kml>
      """,
      #"it only links to "https://maps.example/kml?mid=1&x=2": export the map without "keep data"#
    ),
    (
      "icon.kml",
      """
      <kml><Document><Style><IconStyle><Icon><href>https://maps.example/i.png</href></Icon>
      </IconStyle></Style></Document></kml>
      """, "it has no placemark"
    ),
    ("empty.geojson", #"{"type":"FeatureCollection","features":[]}"#, "it has no feature"),
  ]

  @Test("a file without places is refused with its contents, and leaves no store", arguments: files)
  func refused(name: String, text: String, told: String) throws {
    try scratch.write(text, to: name)
    let store = scratch.file("new.gpkg")
    for words in [["--store", store], ["--dry-run"]] {
      let found = try Program.run(["places", "import", scratch.file(name)] + words)
      #expect(found.exitCode == 1 && found.output.isEmpty, "\(found.output)")
      #expect(found.messages.contains(told), "\(found.messages)")
      #expect(found.messages.contains("nothing was imported"))
    }
    #expect(!FileManager.default.fileExists(atPath: store))
  }
}
