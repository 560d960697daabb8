import Formats
import Core
import Records
import Testing

@Suite struct ColumnsTests {
  struct Row {
    var time: UTCInstant? = UTCInstant(seconds: 1_700_000_000)
    var length: Double? = 1.5
    var count: Int? = 3
    var word: String? = "a \"b\""
    var isSet = true
  }

  static let length = Column<Row>.number(
    "length_m", digits: 2, cell: .figure("LENGTH", 8, digits: 0, scale: 100, unit: " cm"),
    csv: "length"
  ) { $0.length }

  static let columns = Columns<Row>([
    .time("time", cell: .plain("TIME", 6, missing: "never"), csv: "time") { $0.time },
    length.only(.csv),
    .count("count", cell: .plain("COUNT", 5, .right), csv: "count") { $0.count },
    length.except(.csv),
    .table(.made("TWICE", 5, .right) { row, _ in "\((row.count ?? 0) * 2)" }),
    .text("word", csv: "word") { $0.word },
    .flag("set", cell: .plain("SET"), csv: "set") { $0.isSet },
  ])

  func json(_ row: Row, _ columns: Columns<Row> = columns) -> String {
    var json = JSONWriter()
    columns.append(row, to: &json)
    return json.text
  }

  func csv(_ row: Row) -> String {
    var bytes: [UInt8] = []
    Self.columns.append(row, toCSV: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  let unknown = Row(time: nil, length: nil, count: nil, word: nil, isSet: false)

  @Test("one declaration serves the table, JSON and CSV, each in its own order")
  func forms() {
    let style = TableStyle { _ in "noon" }
    #expect(Self.columns.titles == ["TIME", "COUNT", "LENGTH", "TWICE", "SET"])
    #expect(Self.columns.cells(of: Row(), style: style) == ["noon", "3", "150 cm", "6", "1"])
    #expect(
      Self.columns.layout.line(Self.columns.cells(of: Row(), style: style))
        == "noon        3    150 cm      6  1")
    #expect(
      json(Row())
        == "{\"time\":\"2023-11-14T22:13:20.000Z\",\"count\":3,\"length_m\":1.50,"
        + "\"word\":\"a \\\"b\\\"\",\"set\":true}")
    #expect(Self.columns.csvHeading == "time,length,count,word,set\n")
    #expect(csv(Row()) == "2023-11-14T22:13:20.000Z,1.50,3,\"a \"\"b\"\"\",1\n")
  }

  @Test("an unknown value is null in JSON, empty in CSV, and may be shown in the table")
  func unknowns() {
    #expect(Self.columns.cells(of: unknown) == ["never", "", "", "0", "0"])
    #expect(
      json(unknown)
        == "{\"time\":null,\"count\":null,\"length_m\":null,\"word\":null,\"set\":false}")
    #expect(csv(unknown) == ",,,,0\n")
  }

  @Test(
    "numbers that neither JSON nor CSV can express become unknown",
    arguments: [
      Double.nan, .infinity,
    ])
  func notFinite(value: Double) {
    #expect(json(Row(length: value)).contains("\"length_m\":null"))
    #expect(csv(Row(length: value)).contains("Z,,3"))
  }

  @Test("a brief number has no trailing zeros, and no key if it is unknown")
  func brief() {
    let columns = Columns<Row>([Self.length.brief, .count("count") { $0.count }])
    #expect(json(Row(), columns) == "{\"length_m\":1.5,\"count\":3}")
    #expect(json(Row(length: .nan), columns) == "{\"length_m\":null,\"count\":3}")
    #expect(json(unknown, columns) == "{\"count\":null}")
  }

  @Test("a value with parts is an array of objects in JSON, and one cell in the table")
  func parts() {
    let columns = Columns<Row>([
      .parts("words", cell: .made("WORDS", 5) { row, _ in row.word ?? "" }) { row in
        [.object([(name: "word", value: row.word.map { .string($0) } ?? .null)])]
      }
    ])
    #expect(json(Row(word: "a"), columns) == "{\"words\":[{\"word\":\"a\"}]}")
    #expect(columns.cells(of: Row(word: "a")) == ["a"])
  }

  @Test("a visit without an end is still open, and a destination shows the user's name")
  func visit() {
    let time = UTCInstant(seconds: 1_700_000_000)
    var visit = Visit(
      id: 7, arrival: TimeEstimate(exactly: time),
      position: Coordinate(latitude: 53.2, longitude: 6.56), accuracy: 12.4, confidence: 0.876,
      locations: 9, destination: 4)
    let style = TableStyle(labels: [4: "Home"]) { _ in "then" }
    #expect(
      Visit.columns.cells(of: visit, style: style)
        == ["7", "then", "still there", "", "53.200000", "6.560000", "12 m", "88 %", "Home", ""])
    let known = TableStyle(end: time + 3600)
    #expect(Visit.columns.cells(of: visit, style: known)[2] == "still there at 2023-11-14T23:13")
    visit.departure = TimeEstimate(exactly: time + 93_900)
    #expect(
      Visit.columns.cells(of: visit)[2...3] == ["2023-11-16T00:18:20.000Z", "26 h 05 min"])
    #expect(Visit.columns.cells(of: visit)[8] == "4")
  }

  @Test("the keys of the machine interface are unchanged")
  func keys() throws {
    func keys<Row>(_ columns: Columns<Row>, _ row: Row) throws -> [String] {
      var json = JSONWriter()
      columns.append(row, to: &json)
      guard case .object(let members) = try JSONValue(parsing: json.text) else { return [] }
      return members.map(\.name)
    }
    let time = UTCInstant(seconds: 1_700_000_000)
    let position = Coordinate(latitude: 53.2, longitude: 6.56)
    let point = TrackPoint(
      location: Location(time: time, position: position, accuracy: 5), reason: .scheduled)
    #expect(
      try keys(TrackPoint.columns, point) == [
        "time", "lat", "lon", "accuracy_m", "altitude_m", "speed_m_s", "track_deg", "source",
        "reason", "session_id",
      ])
    let visit = Visit(
      id: 7, arrival: TimeEstimate(exactly: time), position: position, accuracy: 12, confidence: 1,
      locations: 9)
    #expect(
      try keys(Visit.columns, visit) == [
        "id", "arrival", "arrival_earliest", "arrival_latest", "departure", "departure_earliest",
        "departure_latest", "accuracy_m", "confidence", "locations", "destination_id", "last_seen",
        "unwatched_s", "gap_start", "gap_end", "is_coarse", "lat", "lon",
      ])
    let destination = Destination(id: 1, position: position, radius: 5, visits: 2, totalDwell: 60)
    #expect(
      try keys(Destination.columns, destination) == [
        "id", "label", "radius_m", "visits", "total_dwell_s", "unwatched_s", "lat", "lon",
      ])
    #expect(TrackPoint.columns.csvHeading == "time,lat,lon,ele,hacc,speed\n")
  }
}
