import Formats
import Foundation
import Core
import TestSupport
import Testing

@Suite struct GPXTraceReaderTests {
  private func read(_ text: String) throws -> [TraceSample] {
    try TraceReader.samples(of: Array(text.utf8), as: .gpx)
  }

  @Test("tracks of GPX 1.0 and 1.1 are read") func tracksOfBothVersions() throws {
    let samples = try read(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- <trkpt lat="9" lon="9"> in a comment -->
      <g:gpx xmlns:g='http://www.topografix.com/GPX/1/1' version="1.1" creator="a > b">
        <g:metadata><g:time>1999-01-01T00:00:00Z</g:time></g:metadata>
        <g:wpt lat="1" lon="2"><g:name>A &amp; B</g:name></g:wpt>
        <g:trk><g:name><![CDATA[<trkpt>]]></g:name><g:trkseg>
          <g:trkpt lat="52.5" lon='-5.25'>
            <g:ele> 12.5 </g:ele><g:time>2026-05-01T00:00:00Z</g:time><g:hdop>2</g:hdop>
            <g:extensions><x:TrackPointExtension><x:speed>2.5</x:speed></x:TrackPointExtension>
            </g:extensions>
          </g:trkpt>
        </g:trkseg></g:trk>
      </g:gpx>
      """)
    #expect(
      samples == [
        TraceSample(
          time: UTCInstant(seconds: 1_777_593_600),
          position: Coordinate(latitude: 52.5, longitude: -5.25), altitude: 12.5, accuracy: 10,
          speed: 2.5)
      ])
    let old = try read(
      """
      <gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg>
      <trkpt lat="52.5" lon="-5.25"><time>2026-05-01T00:00:00&#90;</time><speed>0.5</speed>
      </trkpt></trkseg></trk></gpx>
      """)
    #expect(old.map(\.speed) == [0.5])
  }

  @Test(
    "faults are reported with their line",
    arguments: [
      ("", 1, "no <gpx>"), ("<kml></kml>", 1, "not <gpx>"),
      ("<gpx>\n<trk>", 2, "before </gpx>"),
      ("<gpx><trk><trkseg>\n<trkpt lat='1' lon='2'></trkpt></trkseg></trk></gpx>", 2, "no <time>"),
      ("<gpx>\n\n<trkpt lat='91' lon='2'/></gpx>", 3, "in range"),
      ("<gpx>\n<trkpt lat='1' lon='2'><time>soon</time></trkpt></gpx>", 2, "<time> is not a time"),
      ("<gpx><trkpt lat='1' lon='2'><ele>&e;</ele></trkpt></gpx>", 1, "&e; is not supported"),
      ("<!DOCTYPE gpx [<!ENTITY e \"x\">]>\n<gpx/>", 1, "declarations"),
      ("<gpx>\n<trk", 2, "middle of a tag"), ("<gpx/></gpx>", 1, "without its start"),
      ("<gpx><trkpt lat=1 lon=2/></gpx>", 1, "without quotes"),
    ])
  func faultsAreNamedWithTheirLine(text: String, line: Int, reason: String) {
    let error = thrown(TraceError.self) { try read(text) }
    #expect(error?.line == line)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  private static func point(_ inside: String = "", lat: String = "52.5") -> String {
    "<trkpt lat='\(lat)' lon='2'>\(inside)<time>2026-05-01T00:00:00Z</time></trkpt>\n"
  }

  @Test(
    "an invalid track point drops only that point",
    arguments: [
      point(lat: "91"), point(lat: ""), point("<fix>none</fix>"), "<trkpt lat='1' lon='2'/>\n",
      "<trkpt/>\n",
      "<trkpt lat='1' lon='2'><time>2026-02-30T00:00:00Z</time></trkpt>\n",
    ])
  func aBadPointCostsThatPointAlone(bad: String) throws {
    let good = Self.point("<ele>1</ele>")
    let (samples, losses) = try TraceRun.read(
      "<gpx>\n" + good + bad + good + bad + good + "</gpx>", .gpx)
    #expect(samples.count == 3)
    #expect(losses.rows == 2 && losses.firstRow?.line == 3 && losses.cut == nil)
  }

  @Test(
    "a truncated file keeps the points before the cut",
    arguments: [
      "", "<trk", "<trkpt lat='1' lon='2'>", "<trkpt lat='1' lon='2'><time>2026-", "<trkpt lat='1",
      "</trkseg></trk>", "<!-- ", "\0",
      "<trkpt lat='1' lo" + String(repeating: "\0", count: 600_000),
      String(repeating: "\0", count: 600_000), "\0" + point(),
    ])
  func aFileThatWasCutOffKeepsWhatItHeld(end: String) throws {
    let text = "<gpx><trk><trkseg>\n" + Self.point() + Self.point() + end
    for size in [1, 7, 1 << 20] where size > 1 || text.utf8.count < 1000 {
      let (samples, losses) = try TraceRun.read(text, .gpx, pieces: size)
      #expect(samples.count == 2)
      #expect(losses.rows == 0 && losses.cut?.line == 4, "\(losses)")
    }
  }

  @Test(
    "a file without any XML is an error with its line",
    arguments: [
      "\0\0\0", "", "lat,lon\n1,2\n", "<gpx\n",
    ])
  func aFileThatIsNoXMLIsAnError(text: String) {
    #expect(throws: TraceError.self) { try TraceRun.read(text, .gpx) }
  }

  @Test(
    "an unreadable value drops only itself",
    arguments: [
      "<ele>nan</ele>", "<ele></ele>", "<ele>3 m</ele>", "<hdop>x</hdop>", "<hdop/>", "<speed/>",
      "<speed>3.5 km/h</speed>",
    ])
  func aBadValueCostsItselfAlone(bad: String) throws {
    let good = "<ele>1</ele>"
    let (samples, losses) = try TraceRun.read(
      "<gpx>\n" + Self.point(good) + Self.point(bad) + Self.point(bad) + "</gpx>", .gpx)
    #expect(samples.map(\.altitude) == [1, nil, nil])
    #expect(samples.allSatisfy { $0.accuracy == nil && $0.speed == nil })
    #expect(losses.rows == 0 && losses.values == 2 && losses.firstValue?.line == 3)
  }

  @Test(
    "foreign elements within a point do not belong to the point",
    arguments: [
      "<extensions><x:time>2026-05-01T10:00:00Z</x:time></extensions>",
      "<extensions><speed>9</speed><ele>9</ele></extensions>",
      "<link href='x'><time>2026-05-01T10:00:00Z</time><speed>9</speed></link>",
      "<extensions><x:other><speed>n/a</speed></x:other></extensions>",
      "<x><extensions><accuracy_m>9</accuracy_m></extensions></x>",
    ])
  func foreignElementsAreNotThePoints(foreign: String) throws {
    let time = "<time>2026-05-01T00:00:00Z</time>"
    for inside in [foreign + time, time + foreign] {
      let samples = try read("<gpx><trkpt lat='52.5' lon='2'>\(inside)</trkpt></gpx>")
      #expect(
        samples == [
          TraceSample(
            time: UTCInstant(seconds: 1_777_593_600),
            position: Coordinate(latitude: 52.5, longitude: 2))
        ])
    }
  }

  @Test("a time without a zone is noted with its line") func zones() throws {
    let point = Self.point().replacingOccurrences(of: "Z<", with: "<")
    let (_, losses) = try TraceRun.read("<gpx>\n" + Self.point() + point + "</gpx>", .gpx)
    #expect(losses.firstWithoutZone == 3)
  }

  @Test("elements nested too deeply are refused") func depthIsBounded() {
    let deep = "<gpx>" + String(repeating: "<a>", count: 100_000)
    #expect(throws: TraceError.self) { try read(deep) }
  }

  @Test("a comment without an end is refused") func tokensAreBounded() {
    let long = "<gpx><!--" + String(repeating: "x", count: 1 << 19)
    #expect(throws: TraceError.self) { try read(long) }
  }

  @Test("a negative size counts as unknown")
  func unknownSizes() throws {
    let samples = try read(
      """
      <gpx><trk><trkseg><trkpt lat="1" lon="2"><time>2026-05-01T12:34:56Z</time>
      <speed>-1</speed><hdop>-1</hdop></trkpt></trkseg></trk></gpx>
      """)
    #expect(samples.count == 1)
    #expect(samples.first?.speed == nil && samples.first?.accuracy == nil)
  }

  @Test("the points of a TCX file that have a position are read") func garminsHistory() throws {
    func point(_ rest: String) -> String { "<Trackpoint>\(rest)</Trackpoint>" }
    let place =
      "<Position><LatitudeDegrees>52.5</LatitudeDegrees>"
      + "<LongitudeDegrees>-5.25</LongitudeDegrees></Position>"
    let time = "<Time>2026-05-01T00:00:00Z</Time>"
    func file(_ points: String) -> [UInt8] {
      Array(
        ("<?xml version=\"1.0\"?><TrainingCenterDatabase><Activities><Activity><Lap><Track>"
          + points + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>").utf8)
    }
    let whole = file(
      point(time + place + "<AltitudeMeters>12.5</AltitudeMeters>")
        + point(time + "<HeartRateBpm><Value>90</Value></HeartRateBpm>"))
    #expect(TraceFormat.detect(head: whole) == .tcx)
    #expect(
      try TraceReader.samples(of: whole, as: .tcx) == [
        TraceSample(
          time: UTCInstant(seconds: 1_777_593_600),
          position: Coordinate(latitude: 52.5, longitude: -5.25), altitude: 12.5)
      ])
    for (points, words) in [
      (point(place), "the <Trackpoint> has no <time>"),
      (point(time + "<Position/>"), "the <Trackpoint> has no lat and lon in range"),
      (point("<Time>noon</Time>" + place), "the <Time> is not a time"),
    ] {
      let bytes = file(points)
      let failure = thrown(TraceError.self) { try TraceReader.samples(of: bytes, as: .tcx) }
      #expect(failure?.reason.contains(words) == true)
    }
  }
}
