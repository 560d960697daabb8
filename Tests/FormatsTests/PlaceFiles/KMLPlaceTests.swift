import Foundation
import Formats
import Places
import Core
import TestSupport
import Testing

@Suite struct KMLPlaceTests {
  private static func read(_ text: String) -> PlaceFileRun { PlaceFileRun(text, as: .kml) }

  private static func placemark(_ inside: String) -> String {
    "<Placemark><name>Harbour</name>\(inside)</Placemark>"
  }

  @Test("content that XML can hold is read back as the same place", arguments: 1...10)
  func roundTrip(seed: UInt64) throws {
    var random = RandomPlaces(seed: seed)
    random.hasControls = false
    let places = try random.places(20)
    let text = PlaceFileRun.text(places, as: .kml)
    #expect(try PlaceFileFormat.detect(head: Array(text.prefix(4096))) == .kml)
    let run = PlaceFileRun(text, as: .kml)
    #expect(run.errors.isEmpty && run.notices.isEmpty)
    #expect(run.places.map(\.turned) == places.map(\.turned))
    #expect(PlaceFileRun.text(run.places, as: .kml) == text)
  }

  @Test("placemarks of other programs are read, in any folders") func foreign() throws {
    let run = Self.read(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
      <Document><name>Map</name><Style id="s"><LineStyle/></Style>
      <Folder><name>Layer</name><Folder>
        <Placemark id="p1"><name>Harbour</name><styleUrl>#s</styleUrl>
          <description><![CDATA[<b>Boats</b> &amp; more<br>quiet<br/>1 < 2]]></description>
          <TimeSpan><begin>2026</begin><end>2026-06</end></TimeSpan>
          <ExtendedData><Data name="radius"><value> 120.5 </value></Data>
            <Data name="tags"><value>sea, boats</value></Data></ExtendedData>
          <Point><coordinates> -8.6,41.2,0
          </coordinates></Point></Placemark>
        <Placemark><name>Area</name><MultiGeometry>
          <Polygon><outerBoundaryIs><LinearRing><coordinates>
            0,0,5 4,0,5 4,4,5 0,4,5 0,0,5</coordinates></LinearRing></outerBoundaryIs>
            <innerBoundaryIs><LinearRing><coordinates>1,1 2,1 2,2 1,1</coordinates></LinearRing>
            </innerBoundaryIs></Polygon>
          <Point><coordinates>0.5,0.5</coordinates></Point>
          <LineString><coordinates>0,0 1,1</coordinates></LineString>
        </MultiGeometry></Placemark>
      </Folder></Folder></Document></kml>
      """)
    #expect(run.errors.isEmpty)
    let places = run.places
    try #require(places.count == 2)
    #expect(places[0].description == "Boats & more\nquiet\n1 < 2")
    #expect(places[0].perimeter == .circle(radius: 120.5))
    #expect(places[0].location == .fixed(Drawn.at(41.2, -8.6)))
    #expect(places[0].tags == ["sea", "boats"])
    #expect(places[0].lifetime.from == UTCInstant(seconds: 1_767_225_600))
    #expect(places[0].lifetime.until == UTCInstant(seconds: 1_780_272_000))
    #expect(places[1].location == .fixed(Drawn.at(0.5, 0.5)))
    guard case .polygons(let polygons) = places[1].perimeter else {
      Issue.record("no polygon")
      return
    }
    #expect(polygons.count == 1 && polygons[0].outer.count == 5 && polygons[0].holes.count == 1)
    #expect(run.notices == ["its LineString is not imported"])
  }

  @Test(
    "a bad placemark drops only itself",
    arguments: [
      (
        "", "geometry: it is missing: draw a point or a polygon, or name the device that it follows"
      ),
      (
        "<LineString><coordinates>0,0 1,1</coordinates></LineString>",
        "LineString: it has no interior: draw a polygon, or a point with a radius"
      ),
      (
        "<Point><coordinates>1;2</coordinates></Point>",
        "Point.coordinates[0]: \"1;2\" is not a position: write longitude,latitude"
      ),
      ("<Point/>", "Point.coordinates: 0 positions: write one"),
      ("<Polygon/>", "Polygon: it has no outerBoundaryIs: draw one"),
      (
        "<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1</coordinates></LinearRing>"
          + "</outerBoundaryIs></Polygon>",
        "perimeter.polygons[0].outer: the ring is open: repeat its first position as its last"
      ),
      (
        "<MultiGeometry><Point/><Point/></MultiGeometry>",
        "MultiGeometry: 2 points are as many places: separate them"
      ),
      (
        "<Point><coordinates>1,2,inf</coordinates></Point><ExtendedData><Data name='visible_to'>"
          + "<value>me</value></Data></ExtendedData>",
        "visible_to: not JSON at byte 0: no value here"
      ),
    ])
  func faults(inside: String, error: String) {
    let sound = Self.placemark("<Point><coordinates>1,2</coordinates></Point>")
    let run = Self.read("<kml>\(Self.placemark(inside))<Folder>\(sound)</Folder></kml>")
    #expect(run.errors == ["placemark 1 \"Harbour\": \(error)"])
    #expect(run.places.count == 1)
  }

  @Test("an invalid time span is left out and reported") func noTime() {
    let inside =
      "<TimeSpan><begin>soon</begin></TimeSpan><Point><coordinates>1,2</coordinates></Point>"
    let run = Self.read("<kml>\(Self.placemark(inside))</kml>")
    #expect(run.places.count == 1 && run.errors.isEmpty)
    #expect(
      run.notices.contains(
        "\"valid_from\" is not imported: \"soon\" is not a time: write it as 2026-05-01T12:34:56Z"))
  }

  @Test("positions beyond the limit of a place are not all read") func bounds() {
    func polygon(_ count: Int) -> String {
      let ring = String(repeating: "1,2\n", count: count)
      return Self.placemark(
        "<Polygon><outerBoundaryIs><LinearRing><coordinates>\(ring)</coordinates></LinearRing>"
          + "</outerBoundaryIs></Polygon>")
    }
    let run = Self.read("<kml>\(polygon(20_001))\(polygon(300_000))</kml>")
    #expect(
      run.errors == [
        "placemark 1 \"Harbour\": perimeter.polygons: 20001 corners: simplify it to at most 20000",
        "placemark 2 \"Harbour\": Polygon.outerBoundaryIs.coordinates: more than 20000 positions: "
          + "simplify it",
      ])
  }

  @Test(
    "tags and entities are removed from a description in CDATA",
    arguments: [
      ("plain", "plain"), ("<p>one</p><p>two</p>", "one\ntwo"),
      ("a &lt; b &#65;&#x42;", "a < b AB"),
      ("1 < 2 & 3", "1 < 2 & 3"), ("<a href=\"x\">here</a>", "here"),
      ("&#xD800; &nope; &", "&#xD800; &nope; &"),
      ("open <tag", "open <tag"), ("<!-- no -->yes", "yes"),
    ])
  func html(html: String, text: String) {
    let run = Self.read(
      "<kml>"
        + Self.placemark(
          "<description><![CDATA[\(html)]]></description>"
            + "<Point><coordinates>1,2</coordinates></Point>") + "</kml>")
    #expect(run.places.first?.description == text)
  }
}
