import Core
import Records
import TestSupport
import Testing

@testable import Delivery

/// A record sent to a collector is received unchanged.
@Suite struct CollectedRecordTests {
  private static let start = UTCInstant(seconds: 1_777_593_600)

  private static let point = TrackPoint(
    location: Location(
      time: start + 5, position: Coordinate(latitude: 52.0907, longitude: -5.1214), accuracy: 4.5,
      speed: 1.25, track: nil, altitude: -3.5, source: .gnss), reason: .scheduled, session: 7)

  @Test("a record is written with the names of its columns, without unknown values")
  func transcript() {
    let record = CollectedRecord(
      sequence: 12, layer: "track_points", record: 1_777_593_605_000_000, Self.point)
    #expect(
      String(decoding: record.bytes, as: UTF8.self)
        == #"{"seq":12,"layer":"track_points","id":1777593605000000,"row":"#
        + #"{"geom":[-5.1214,52.0907],"time":"2026-05-01T00:00:05.000Z","accuracy_m":4.5,"#
        + #""altitude_m":-3.5,"speed_m_s":1.25,"source":"gnss","reason":"scheduled","#
        + #""session_id":7}}"#)
  }

  @Test("content that is not a row is one word") func words() {
    let withdrawn = CollectedRecord(sequence: 1, layer: "visits", record: 3, .withdrawn)
    #expect(
      withdrawn.bytes == Array(#"{"seq":1,"layer":"visits","id":3,"withdrawn":true}"#.utf8))
    let dropped = CollectedRecord(sequence: 2, layer: "visits", record: 3, .dropped)
    #expect(dropped.bytes == Array(#"{"seq":2,"layer":"visits","id":3,"dropped":true}"#.utf8))
  }

  @Test("every content survives transport, and a row becomes the same record")
  func roundTrip() throws {
    let row = CollectedRecord(
      sequence: 12, layer: "track_points", record: 1_777_593_605_000_000, Self.point)
    for record in [
      row, CollectedRecord(sequence: 1, layer: "visits", record: 3, .withdrawn),
      CollectedRecord(sequence: 2, layer: "events", record: 3, .dropped),
    ] {
      #expect(CollectedRecord(try JSONValue(parsing: record.bytes)) == record)
    }
    let read = try #require(CollectedRecord(try JSONValue(parsing: row.bytes)))
    #expect(try read.row(as: TrackPoint.self) == Self.point)
    #expect(try read.row(as: Visit.self) == nil)
  }

  @Test("numbers beyond JSON's exact range, and unknown columns") func wild() throws {
    var json = #"{"seq":1,"layer":"track_points","id":5,"row":{"geom":[1,2],"colour":"red","#
    json += #""time":"2026-05-01T00:00:05.000Z","accuracy_m":4,"source":"gnss","#
    json += #""reason":"scheduled","session_id":"9007199254740993"}}"#
    let record = try #require(CollectedRecord(try JSONValue(parsing: json)))
    let point = try #require(try record.row(as: TrackPoint.self))
    #expect(point.session == 9_007_199_254_740_993)
    var again = CollectedRecord(sequence: 1, layer: "track_points", record: 5, point).bytes
    #expect(String(decoding: again, as: UTF8.self).contains(#""session_id":"9007199254740993""#))
    again.removeAll()
  }

  private static let faulty = [
    "[]", "{}", #"{"seq":0,"layer":"visits","id":3,"withdrawn":true}"#,
    #"{"seq":1.5,"layer":"visits","id":3,"withdrawn":true}"#,
    #"{"seq":1,"layer":"visits; DROP TABLE x","id":3,"withdrawn":true}"#,
    #"{"seq":1,"layer":"","id":3,"withdrawn":true}"#,
    #"{"seq":1,"layer":"visits","withdrawn":true}"#, #"{"seq":1,"layer":"visits","id":3}"#,
    #"{"seq":1,"layer":"visits","id":3,"row":[]}"#,
    #"{"seq":1,"layer":"visits","id":3,"row":{"a\"b":1}}"#,
    #"{"seq":1,"layer":"visits","id":1e300,"withdrawn":true}"#,
  ]

  @Test("an invalid record is refused", arguments: faulty) func refused(text: String) throws {
    #expect(CollectedRecord(try JSONValue(parsing: text)) == nil)
  }

  private static let damagedRows: [(row: String, column: Int32)] = [
    (#"{"geom":[1,2],"time":"x","accuracy_m":4,"source":"gnss","reason":"scheduled"}"#, 2),
    (#"{"geom":[1,2],"accuracy_m":4,"source":"gnss","reason":"scheduled"}"#, 2),
    (
      #"{"geom":[1,200],"time":"2026-05-01T00:00:05.000Z","accuracy_m":4,"source":"gnss","#
        + #""reason":"scheduled"}"#, 1
    ),
  ]

  @Test(
    "a missing column or one of another type is reported with its place", arguments: damagedRows)
  func damaged(row: String, column: Int32) throws {
    let text = #"{"seq":1,"layer":"track_points","id":5,"row":\#(row)}"#
    let record = try #require(CollectedRecord(try JSONValue(parsing: text)))
    #expect(throws: DamagedColumn(column: column)) { try record.row(as: TrackPoint.self) }
  }

  @Test("a batch is read as it was written, and nothing else is a batch") func batches() throws {
    let records = (1...3).map {
      CollectedRecord(sequence: $0, layer: "visits", record: $0, .withdrawn)
    }
    let message = CollectedBatch.message(stream: "s1", records.map(\.bytes))
    #expect(
      String(decoding: message, as: UTF8.self).hasPrefix(
        #"{"_type":"records","stream":"s1","records":[{"seq":1,"#))
    #expect(try CollectedBatch(parsing: message) == CollectedBatch(stream: "s1", records))
    let none = CollectedBatch.message(stream: "s1", [])
    #expect(try CollectedBatch(parsing: none).records.isEmpty)
  }

  private static let noBatches = [
    ("", "not JSON at byte 0: no value here"), ("{}", "not a batch of records"),
    (#"{"_type":"records","records":[]}"#, "stream is not"),
    (#"{"_type":"records","stream":"a-b","records":[]}"#, "stream is not"),
    (#"{"_type":"records","stream":"s1"}"#, "records is not a list"),
    (#"{"_type":"records","stream":"s1","records":[1]}"#, "records[0] is not a record"),
  ]

  @Test("an invalid batch is refused with a reason", arguments: noBatches)
  func noBatch(text: String, reason: String) {
    let error = thrown(MessageProblem.self) {
      try CollectedBatch(parsing: Array(text.utf8))
    }
    #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
  }

  @Test("a receipt is read as written; anything else is not a receipt") func receipts() {
    let receipt = CollectorReceipt(stream: "s1", through: 120)
    #expect(receipt.bytes == Array(#"{"_type":"received","stream":"s1","through":120}"#.utf8))
    #expect(CollectorReceipt(parsing: receipt.bytes) == receipt)
    for text in ["", "{}", #"{"_type":"received","stream":"s1","through":-1}"#, "[1]"] {
      #expect(CollectorReceipt(parsing: Array(text.utf8)) == nil)
    }
  }

  @Test("a stream's numbers have no gaps, and its name has only letters and digits")
  func streams() {
    var stream = RecordStream(name: "a-1/ß2", last: -5)
    #expect(stream.name == "a12")
    #expect([stream.next(), stream.next()].map(\.number) == [1, 2])
    #expect(stream.last == 2)
  }
}
