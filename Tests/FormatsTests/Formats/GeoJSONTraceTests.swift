import Formats
import Core
import TestSupport
import Testing

/// Allowed features: points and lines with their times, in WGS 84.
@Suite struct GeoJSONTraceTests {
  private static let start = UTCInstant(seconds: 1_777_622_400)
  private static let point = Self.feature(
    #"{"type":"Point","coordinates":[5.1,52.1]}"#, #""time":1777622400"#)

  private static func feature(_ geometry: String, _ properties: String) -> String {
    "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":{\(properties)}}"
  }

  private static func collection(_ features: [String], beside: String = "") -> String {
    "{\"type\":\"FeatureCollection\",\(beside)\"features\":[\(features.joined(separator: ","))]}"
  }

  @Test("a line of several parts has its times in as many parts") func multiLines() throws {
    let geometry =
      #"{"type":"MultiLineString","coordinates":[[[5.1,52.1],[5.2,52.2]],[[5.3,52.3,7]]]}"#
    for name in [#""coordTimes":"#, #""coordinateProperties":{"times":"#] {
      let end = name.hasSuffix("{\"times\":") ? "}" : ""
      let times = "[[1777622400,1777622410],[1777622420]]"
      let (samples, losses) = try TraceRun.read(
        Self.collection([Self.feature(geometry, "\(name)\(times)\(end)")]), .json)
      #expect(samples.map(\.time) == [0, 10, 20].map { Self.start + $0 })
      #expect(samples.map(\.position.latitude) == [52.1, 52.2, 52.3])
      #expect(samples.map(\.altitude) == [nil, nil, 7] && losses.rows == 0)
    }
    for (times, count) in [
      ("[[1777622400]]", 0), ("[1777622400,1777622410]", 0), ("[[1777622400],[1777622410]]", 1),
    ] {
      let (samples, losses) = try TraceRun.read(
        Self.collection([Self.feature(geometry, "\"coordTimes\":\(times)")]), .json)
      #expect(samples.count == count && losses.rows > 0, "\(times)")
      #expect(losses.firstRow?.reason.contains("without a time") == true)
    }
  }

  @Test("other geometries are counted and named, unless they are places of an export")
  func otherGeometries() throws {
    for geometry in [
      #"{"type":"MultiPoint","coordinates":[[5.1,52.1]]}"#,
      #"{"type":"Polygon","coordinates":[[[5,52],[6,52],[6,53],[5,52]]]}"#,
      #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[5,52]}]}"#,
    ] {
      let feature = Self.feature(geometry, #""time":1777622410"#)
      let (samples, losses) = try TraceRun.read(
        Self.collection([Self.point, feature, feature]), .json)
      #expect(samples.count == 1 && losses.rows == 2)
      let type = geometry.split(separator: "\"")[3]
      #expect(losses.firstRow?.reason.contains("a geometry \"\(type)\"") == true)
      let place = Self.feature(geometry, #""kind":"visit""#)
      let own = try TraceRun.read(Self.collection([Self.point, place]), .json)
      #expect(own.1.rows == 0 && own.1.places == 1)
    }
    let nowhere = Self.feature("null", #""time":1777622410"#)
    #expect(try TraceRun.read(Self.collection([Self.point, nowhere]), .json).1.rows == 0)
  }

  @Test(
    "a line with one position per second for a day is read; a longer one is refused with advice")
  func longLines() throws {
    func line(_ count: Int) -> String {
      let corners = (0..<count).map { "[5.\(100_000 + $0),52.\(100_000 + $0),12.5]" }
      let times = (0..<count).map { "\"2026-05-0\(1 + $0 / 86_400)T08:00:\(10 + $0 % 50)Z\"" }
      return Self.feature(
        "{\"type\":\"LineString\",\"coordinates\":[\(corners.joined(separator: ","))]}",
        "\"coordTimes\":[\(times.joined(separator: ","))]")
    }
    let (samples, losses) = try TraceRun.read(Self.collection([line(86_400)]), .json)
    #expect(samples.count == 86_400 && losses.rows == 0)
    let most = try TraceRun.read(Self.collection([Self.point, line(250_000)]), .json)
    #expect(most.0.count == 1 && most.1.rows == 1)
    #expect(most.1.firstRow?.reason.contains("divide it") == true)
  }

  @Test("positions of another coordinate system are not read, wherever it is declared")
  func otherSystems() throws {
    func system(_ name: String) -> String {
      "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"\(name)\"}}"
    }
    let other = system("urn:ogc:def:crs:EPSG::4284")
    let before = Self.collection([Self.point], beside: other + ",")
    let behind = String(Self.collection([Self.point]).dropLast()) + ",\(other)}"
    for text in [before, behind] {
      let error = thrown(TraceError.self) { try TraceRun.read(text, .json) }
      #expect(error?.reason.contains("EPSG::4284") == true)
      #expect(error?.reason.contains("ogr2ogr -t_srs EPSG:4326") == true)
    }
    let one = "{\(other)," + Self.point.dropFirst()
    let losses = try TraceRun.read(Self.collection([Self.point, one]), .json).1
    #expect(losses.rows == 1 && losses.firstRow?.reason.contains("EPSG::4284") == true)
    for name in ["urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326"] {
      let text = Self.collection([Self.point], beside: system(name) + ",")
      #expect(try TraceRun.read(text, .json).0.count == 1)
    }
  }

  @Test("a PLT of another datum is not read") func datums() throws {
    func plt(_ datum: String) -> String {
      "OziExplorer Track Point File Version 2.1\r\n\(datum)\r\nAltitude is in Feet\r\n"
        + "Reserved 3\r\n0,2,255,x,0,0,2,8421376\r\n1\r\n"
        + "52.1,5.1,0,492,46146.2916667,2026-05-04,07:00:00\r\n"
    }
    for datum in ["WGS 84", "WGS84", ""] {
      #expect(try TraceRun.read(plt(datum), .plt).0.count == 1)
    }
    for datum in ["Pulkovo 1942 (1)", "European 1950"] {
      let error = thrown(TraceError.self) { try TraceRun.read(plt(datum), .plt) }
      #expect(error?.line == 2 && error?.reason.contains("\"\(datum)\"") == true)
    }
  }

  @Test("encrypted messages are counted, even if there are no others") func encrypted() throws {
    let message = #"{"_type":"encrypted","data":"AAAA"}"# + "\n"
    let location = #"{"_type":"location","lat":52.1,"lon":5.1,"tst":1777622400}"# + "\n"
    for (text, count) in [(location + message + message, 1), (message + message, 0)] {
      #expect(TraceFormat.detect(head: Array(text.utf8)) == .json)
      let (samples, losses) = try TraceRun.read(text, .json)
      #expect(samples.count == count && losses.rows == 2)
      #expect(losses.firstRow?.reason.contains("encrypted: export it without a key") == true)
    }
  }
}
