import Formats
import Core
import TestSupport
import Testing

/// Several individuals in one file never become one track, whatever their number and names.
@Suite struct TraceIndividualsTests {
  private static let start = 1_777_622_400

  /// At one place, one row every ten seconds.
  private static func table(_ column: String, count: Int, _ name: (Int) -> String) -> String {
    "\(column),time,lat,lon\n"
      + (0..<count).map { "\(name($0)),\(start + $0 * 10),52.1,5.1\n" }.joined()
  }

  private func refusal(_ text: String, _ format: TraceFormat = .csv, of name: String? = nil)
    -> String?
  {
    thrown(TraceRefusal.self) { try TraceRun.order(text, format, individual: name) }?.description
  }

  @Test("a collar may be changed: Movebank's individual name takes precedence over the tag's")
  func tagsAndIndividuals() throws {
    let text =
      "tag-local-identifier,individual-local-identifier,timestamp,location-lat,location-long\n"
      + (0..<40).map { "\($0 / 20),Hella,\(Self.start + $0 * 10),52.1,5.1\n" }.joined()
    #expect(try TraceRun.order(text).positions == 40)
  }

  @Test("a different number in each row identifies nothing, however long the file is")
  func numbersOfRows() throws {
    for column in ["uid", "id", "track_id"] {
      for count in column == "uid" ? [500, 51_000] : [500] {
        let text = Self.table(column, count: count) { "\($0)" }
        #expect(try TraceRun.order(text).positions == count, "\(column)")
        let long = try TraceRun.order(text, mostKept: 100)
        #expect(long.samples == nil && long.findings.positions == count)
      }
    }
  }

  @Test("persons with a few rows each are several") func fewRowsEach() {
    for column in ["uid", "user_id"] {
      for (rows, each) in [(2, 1), (30, 1), (300, 2)] {
        let text = Self.table(column, count: rows) { "\($0 / each)" }
        #expect(refusal(text)?.contains("\(rows / each) individuals") == true)
      }
    }
  }

  @Test("individuals beyond the limit are not attributed to others, and are reported as more")
  func moreThanAreToldApart() throws {
    let text = Self.table("user", count: 101_000) { "u\($0 % 50_500)" }
    let all = try #require(refusal(text))
    #expect(all.contains("more than 50000 individuals") && all.contains("'u0', 'u1'"))
    #expect(try TraceRun.order(text, individual: "u49999").positions == 2)
    for name in ["u50000", "u50500"] {
      let one = try #require(refusal(text, of: name))
      #expect(one.contains("'\(name)' among the first 50000") && one.contains("divide the file"))
    }
  }

  @Test("rows without a name beside named ones belong to another individual")
  func withoutName() throws {
    let table = Self.table("user", count: 90) { ["A", "B", ""][$0 / 30] }
    #expect(refusal(table)?.contains("3 individuals") == true)
    #expect(refusal(table)?.contains("'A', 'B', '' (items without a name)") == true)
    let half = Self.table("user", count: 60) { $0 < 30 ? "" : "A" }
    #expect(refusal(half)?.contains("2 individuals") == true)
    for name in ["A", ""] {
      #expect(try TraceRun.order(half, individual: name).positions == 30)
    }
    let messages = (0..<40).map {
      #"{"_type":"location","lat":52.1,"lon":5.1,"tst":\#(Self.start + $0 * 10)"#
        + ($0 < 20 ? "}\n" : #","tid":"ab"}"# + "\n")
    }.joined()
    #expect(refusal(messages, .json)?.contains("2 individuals") == true)
    let nobody = Self.table("user", count: 60) { _ in "" }
    #expect(try TraceRun.order(nobody).positions == 60)
    #expect(refusal(nobody, of: "A")?.contains("names no individuals") == true)
  }

  @Test("an unknown name is reported with the names in the file") func unknownName() {
    let text = Self.table("user", count: 60) { "u\($0 % 2)" }
    #expect(
      refusal(text, of: "Eve")
        == "it names no individual or track 'Eve': the file has 'u0', 'u1'")
  }

  @Test("simultaneous distant tracks are found in a file too long to keep, too")
  func longTracks() throws {
    let text =
      "track_id,time,lat,lon\n"
      + (0..<400).map {
        "\($0 % 2),\(Self.start + $0 * 10),\($0 % 2 == 0 ? 52.1 : 52.2),5.1\n"
      }.joined()
    for most in [100, 1000] {
      let refusal = thrown(TraceRefusal.self) { try TraceRun.order(text, mostKept: most) }
      #expect(refusal?.description.contains("far apart at the same time") == true)
    }
  }

  private static func features(_ properties: (Int) -> String) -> String {
    let features = (0..<60).map {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[5.1,52.1]},"#
        + "\"properties\":{\"time\":\(start + $0 * 10),\(properties($0))}}"
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  @Test(
    "GeoJSON names devices and persons as tables do, in words or numbers",
    arguments: ["device_id", "imei", "user", "user_id", "deviceName", "Device Name", "tag_id"])
  func geoJSON(key: String) throws {
    for (names, asked) in [("\"a\" \"b\"", "b"), ("1 2", "2")] {
      let values = names.split(separator: " ")
      let text = Self.features { "\"name\":\"point \($0)\",\"\(key)\":\(values[$0 / 30])" }
      #expect(refusal(text, .json)?.contains("2 individuals") == true)
      #expect(try TraceRun.order(text, .json, individual: asked).positions == 30)
    }
  }

  @Test("a feature's name and number, and values that are not words, name no individual")
  func otherProperties() throws {
    for properties in ["\"name\":\"point %\"", "\"id\":%", "\"user\":{\"id\":%}", "\"user\":null"] {
      let text = Self.features {
        properties.replacing("%", with: "\($0)")
      }
      #expect(try TraceRun.order(text, .json).positions == 60, "\(properties)")
    }
  }
}
