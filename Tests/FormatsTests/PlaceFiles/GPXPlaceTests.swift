import Foundation
import Formats
import Places
import Core
import TestSupport
import Testing

@Suite struct GPXPlaceTests {
  private static func read(_ text: String) -> PlaceFileRun { PlaceFileRun(text, as: .gpx) }

  @Test("circles are read back as the same places, to 1e-9 degrees", arguments: 1...6)
  func roundTrip(seed: UInt64) throws {
    var random = RandomPlaces(seed: seed)
    random.hasControls = false
    let places = try random.places(30).filter { place in
      guard case .fixed = place.location, case .circle = place.perimeter else { return false }
      return true
    }
    let text = PlaceFileRun.text(places, as: .gpx)
    #expect(try PlaceFileFormat.detect(head: Array(text.prefix(4096))) == .gpx)
    let run = PlaceFileRun(text, as: .gpx)
    #expect(run.errors.isEmpty && run.notices.isEmpty)
    try #require(run.places.count == places.count)
    for (place, other) in zip(places, run.places) {
      var details = other.details
      guard case .fixed(let a) = place.location, case .fixed(let b) = other.location else {
        continue
      }
      #expect((a.latitude - b.latitude).magnitude < 1e-9)
      #expect((a.longitude - b.longitude).magnitude < 1e-9)
      details.location = place.location
      #expect(details == place.details)
      #expect(other.id == place.id && other.version == place.version)
    }
    #expect(PlaceFileRun.text(run.places, as: .gpx) == text)
  }

  @Test("a waypoint uses GPX's elements, and extensions for the rest") func written() throws {
    let place = try Place(
      id: Drawn.id(1), version: 2,
      Drawn.details {
        $0.name = "A & B"
        $0.description = "two\nlines"
        $0.tags = ["sea", "boats"]
        $0.contents = [.init(uri: "https://example.org/?a&b", mediaType: "text/html", text: "see")]
        $0.location = .fixed(Drawn.at(1, 180))
      })
    let text = String(decoding: PlaceFileRun.text([place], as: .gpx), as: UTF8.self)
    #expect(
      text.contains(
        """
        <wpt lat="1.000000000" lon="-180.000000000"><name>A &amp; B</name><desc>two
        lines</desc><link href="https://example.org/?a&amp;b"><text>see</text>\
        <type>text/html</type></link><type>sea</type><extensions>\
        <godwit:id>00000000-0000-0000-0000-000000000001</godwit:id>\
        <godwit:radius_m>100</godwit:radius_m>\
        <godwit:tags>[&quot;sea&quot;,&quot;boats&quot;]</godwit:tags><godwit:contents>
        """))
  }

  @Test("values that GPX cannot hold are reported") func notices() throws {
    var writer = PlaceFileFormat.gpx.writer()
    let ring = Drawn.box(west: -8.61, south: 41.17, east: -8.60, north: 41.18)
    let polygon = try Place(
      id: Drawn.id(1), Drawn.details { $0.perimeter = .polygons([PerimeterPolygon(outer: ring)]) })
    #expect(writer.place(polygon) == ["its polygon becomes a circle around it"])
    let guide = try Place(
      id: Drawn.id(2),
      Drawn.details { $0.location = .following(.init(name: "d", update: .interval(9))) })
    #expect(writer.place(guide) == ["it is left out: GPX has no waypoints that follow a device"])
  }

  @Test("waypoints of other programs are read, and tracks are not") func foreign() {
    let run = Self.read(
      """
      <?xml version="1.0"?>
      <gpx version="1.1" creator="x" xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3">
      <metadata><name>Places</name></metadata>
      <wpt lat="41.2" lon="-8.6"><ele>12</ele><time>2026-05-01T12:00:00Z</time>
        <name> Harbour </name><cmt>quiet</cmt><desc>Boats &amp; more</desc>
        <link href="https://example.org/"><text>Page</text></link><sym>Anchor</sym>
        <type>sea</type>
        <extensions><gpxx:WaypointExtension><gpxx:Proximity>250.5</gpxx:Proximity>
          <gpxx:Categories><gpxx:Category>boats</gpxx:Category><gpxx:Category>sea</gpxx:Category>
          </gpxx:Categories></gpxx:WaypointExtension></extensions></wpt>
      <wpt lat="1" lon="2"/>
      <wpt lat="1" lon="2"><name>Old</name><url>https://example.org/old</url>
        <keywords>a, b</keywords></wpt>
      <trk><trkseg><trkpt lat="3" lon="4"/></trkseg></trk>
      </gpx>
      """)
    #expect(run.errors.isEmpty)
    let places = run.places
    guard places.count == 3 else {
      Issue.record("\(places.count) places")
      return
    }
    #expect(places[0].name == "Harbour")
    #expect(places[0].description == "Boats & more\n\nquiet")
    #expect(places[0].perimeter == .circle(radius: 250.5))
    #expect(places[0].tags == ["sea", "boats"])
    #expect(
      places[0].contents.map(\.anonymous)
        == [.init(uri: "https://example.org/", mediaType: "text/html", text: "Page")])
    #expect(places[1].name == "Place 2")
    #expect(places[2].tags == ["a", "b"])
    #expect(
      places[2].contents.map(\.anonymous)
        == [.init(uri: "https://example.org/old", mediaType: "text/html")])
    #expect(
      run.notices == [
        "not imported: \"ele\", \"time\", \"sym\"",
        "it has no name, and is named by its number",
        "it has no radius, and gets 50.0 m", "it has no radius, and gets 50.0 m",
      ])
  }

  @Test(
    "a bad waypoint drops only itself",
    arguments: [
      ("<wpt><name>A</name></wpt>", "waypoint 1 \"A\": wpt: it has no lat and lon"),
      (
        "<wpt lat='1'/>",
        "waypoint 1: wpt: lat and lon must be numbers of degrees: it has lat=\"1\""
      ),
      (
        "<wpt lat='nan' lon='1'/>",
        "waypoint 1: wpt: lat and lon must be numbers of degrees: it has lat=\"nan\" lon=\"1\""
      ),
      (
        "<wpt lat='91' lon='1'/>",
        "waypoint 1: location: 91.0, 1.0 is not a position: use a latitude of -90 to 90 and a "
          + "longitude of -180 to 180"
      ),
      (
        "<wpt lat='1' lon='1'><name>&e;</name></wpt>",
        "waypoint 1: line 1: the entity &e; is not supported"
      ),
    ])
  func faults(waypoint: String, error: String) {
    let run = Self.read("<gpx>\(waypoint)<wpt lat='1' lon='2'><name>B</name></wpt></gpx>")
    #expect(run.errors == [error])
    #expect(run.places.map(\.name) == ["B"])
  }

  @Test(
    "a text in an older encoding is refused, and its neighbours are accepted",
    arguments: [
      "<wpt lat='1' lon='1'><name>caf#</name></wpt>",
      "<wpt lat='1' lon='1'><name><![CDATA[caf#]]></name></wpt>",
      "<wpt lat='1' lon='1' note='caf#'><name>A</name></wpt>",
    ])
  func encoding(waypoint: String) {
    let text = "<gpx>\(waypoint)<wpt lat='1' lon='2'><name>B</name></wpt></gpx>"
    // é in windows-1252
    let bytes = text.utf8.map { $0 == UInt8(ascii: "#") ? 0xE9 : $0 }
    let run = PlaceFileRun(bytes, as: .gpx)
    #expect(run.places.map(\.name) == ["B"])
    #expect(run.errors.count == 1)
    #expect(run.errors.allSatisfy { $0.contains("line 1: its text is not UTF-8") })
  }

  @Test(
    "a fault of the whole file ends reading",
    arguments: [
      ("", "no <gpx> element: check that this is such a file"),
      ("<kml/>", "line 1: the first element is \"kml\", not \"gpx\""),
      ("<gpx>\n<wpt>", "the file ends before </gpx>: check that it is complete"),
      ("<gpx>\n<wpt", "line 2: the file ends in the middle of a tag; check that it is complete"),
      ("<gpx></wpt>", "line 1: the end of \"wpt\" does not match the open element"),
      ("</gpx>", "line 1: the end of \"gpx\" does not match the open element"),
      (
        "<!DOCTYPE gpx [<!ENTITY e \"x\">]>\n<gpx/>",
        "line 1: a document type with declarations; remove the <!DOCTYPE>"
      ),
    ])
  func files(text: String, error: String) {
    #expect(Self.read(text).failure?.description == error)
  }

  @Test("depth, length and count are limited") func bounds() {
    let deep = String(repeating: "<a>", count: 70)
    #expect(
      Self.read("<gpx>" + deep).failure?.description == "line 1: elements nested deeper than 64")
    let many = "<wpt lat='1' lon='2'>" + String(repeating: "<a/>", count: 20_001) + "</wpt>"
    let sound = "<wpt lat='1' lon='2'/>"
    let run = Self.read("<gpx>\(many)\(sound)</gpx>")
    #expect(run.places.count == 1)
    #expect(
      run.errors == ["waypoint 1: it has more than 20000 elements: simplify its polygons"])
  }

  @Test("GDAL and the schema accept the written file") func otherPrograms() throws {
    let folder = try ScratchFolder()
    var random = RandomPlaces(seed: 8)
    random.hasControls = false
    let places = try random.places(20)
    try Data(PlaceFileRun.text(places, as: .gpx)).write(
      to: URL(fileURLWithPath: folder.file("places.gpx")))
    #expect(try run("xmllint", "--noout", folder.file("places.gpx")).status == 0)
    let count = PlaceFileRun(PlaceFileRun.text(places, as: .gpx), as: .gpx).places.count
    let summary = try run("ogrinfo", "-ro", "-so", folder.file("places.gpx"), "waypoints")
    #expect(summary.output.contains("Feature Count: \(count)"))
  }
}
