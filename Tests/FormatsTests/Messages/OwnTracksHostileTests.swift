import Core
import TestSupport
import Testing

@testable import Formats

/// Anything that others can publish on topics to which the board subscribes.
@Suite struct OwnTracksHostileTests {
  private static func read(_ text: String) throws -> OwnTracksMessage {
    try OwnTracksMessage(parsing: Array(text.utf8))
  }

  private static func location(_ members: String) -> String {
    #"{"_type":"location","lat":1,"lon":2,\#(members)}"#
  }

  /// The normalised text of a message.
  private static func rewritten(_ text: String) throws -> String {
    let bytes = try read(text).bytes
    #expect(try OwnTracksMessage(parsing: bytes).bytes == bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let refusals: [(String, String)] = [
    (location(#""tst":0"#), "tst: it must be from 1.0 to 8000000000.0"),
    (location(#""tst":-1"#), "tst: it must be from 1.0 to 8000000000.0"),
    (location(#""tst":-0"#), "tst: it must be from 1.0 to 8000000000.0"),
    (location(#""tst":1764072000000"#), "tst: it must be from 1.0 to 8000000000.0"),
    (location(#""tst":99999999999999999999"#), "tst: it must be from 1.0 to 8000000000.0"),
    (location(#""tst":1,"x":1e999"#), "not JSON at byte 53: number out of range"),
    (location(#""tst":1,"x":-1e999"#), "not JSON at byte 54: number out of range"),
    (location(#""tst":NaN"#), "not JSON at byte 42: no value here"),
    (location(#""tst":Infinity"#), "not JSON at byte 42: no value here"),
    (location(#""tst":1,"bs":1e300"#), "bs: it is not a whole number"),
    (location(#""tst":1,"acc":-1e300"#), "acc: it must be from -1000000.0 to 100000000.0"),
    (location(#""tst":1,"conn":7"#), "conn: it is not text"),
    (
      #"{"_type":"waypoint","desc":"a","tst":1,"uuid":"u","major":-1}"#,
      "major: it must be from 0.0 to 65535.0"
    ),
    (
      #"{"_type":"waypoint","desc":"a","tst":1,"uuid":"u","minor":9223372036854775808}"#,
      "minor: it must be from 0.0 to 65535.0"
    ),
    (
      #"{"_type":"cmd","action":"setWaypoints","waypoints":[{"_type":"location"}]}"#,
      "waypoints[0]._type: it is not a waypoint"
    ),
    (#"{"_type":"cmd","action":"setWaypoints","waypoints":7}"#, "waypoints: it is not a list"),
    (
      #"{"_type":"cmd","action":"setWaypoints","waypoints":{"waypoints":null}}"#,
      "waypoints.waypoints: it is missing"
    ),
  ]

  @Test("invalid numbers are refused with a reason", arguments: refusals)
  func refused(_ text: String, _ why: String) {
    #expect(thrown(MessageError.self) { try Self.read(text) }?.description == why)
  }

  @Test("nesting depth is limited", arguments: ["[", "{\"a\":"])
  func depth(_ bracket: String) {
    let open = String(repeating: bracket, count: 50_000)
    #expect(
      thrown(MessageError.self) { try Self.read(Self.location("\"tst\":1,\"x\":\(open)")) }?
        .description.hasSuffix("nested deeper than 64") == true)
  }

  @Test("the deepest allowed nesting survives") func deepest() throws {
    let text = Self.location(
      #""tst":1,"x":"# + String(repeating: "[", count: 62) + "1.50"
        + String(repeating: "]", count: 62))
    #expect(try Self.rewritten(text).contains("[1.50]"))
  }

  @Test("of duplicate members the last one counts, and unknown ones are all kept")
  func twice() throws {
    #expect(
      try Self.rewritten(
        #"{"x":1.0,"_type":"cmd","lat":9,"_type":"location","lat":1,"lon":2,"t":"z","tst":5,"#
          + #""tst":6,"x":2.0,"t":"u"}"#)
        == #"{"_type":"location","tst":6,"lat":1.0000000,"lon":2.0000000,"t":"u","x":1.0,"x":2.0}"#)
  }

  @Test("halves of surrogate pairs become replacement characters, and NULs stay escaped")
  func texts() throws {
    #expect(
      try Self.rewritten(
        #"{"_type":"a\ud800b","\udc00":"\ud83d\ude00 \u0000","n\u0000":["\ud83d","\u0085"]}"#)
        == "{\"_type\":\"a\u{fffd}b\",\"\u{fffd}\":\"😀 \\u0000\","
        + "\"n\\u0000\":[\"\u{fffd}\",\"\\u0085\"]}")
    let bytes = Array(#"{"_type":"x","a":"#.utf8) + [0x22, 0xff, 0xc3, 0x22, 0x7d]
    let message = try OwnTracksMessage(parsing: bytes)
    #expect(
      String(decoding: message.bytes, as: UTF8.self)
        == "{\"_type\":\"x\",\"a\":\"\u{fffd}\u{fffd}\"}")
  }

  @Test("a time is kept as received, even after a week rollover of a receiver")
  func times() throws {
    for seconds in [1, 1_764_072_000 - 1024 * 604_800, 4_700_000_000, 8_000_000_000] {
      #expect(
        try Self.rewritten(Self.location("\"tst\":\(seconds)")).contains("\"tst\":\(seconds),"))
    }
    // Fractions, which no app sends, are rounded down.
    #expect(try Self.rewritten(Self.location("\"tst\":1.999")).contains("\"tst\":1,"))
  }

  @Test("a message of maximum length with only members or brackets is parsed in time")
  func long() throws {
    let room = OwnTracksMessage.mostBytes - 40
    let members = String(repeating: "\"\":\"\",", count: room / 6)
    let text = #"{"_type":"x",\#(members)"a":1}"#
    #expect(try Self.rewritten(text) == text)
    let lists = String(repeating: "[],", count: room / 3)
    let nested = #"{"_type":"x","a":[\#(lists)0]}"#
    #expect(try Self.rewritten(nested) == nested)
  }

  @Test("an unknown accuracy is omitted, and one below a metre becomes 1")
  func small() throws {
    #expect(!(try Self.rewritten(Self.location(#""tst":1,"acc":-1"#)).contains("acc")))
    #expect(
      try Self.rewritten(#"{"_type":"waypoint","desc":"a","tst":1,"lat":1,"lon":2,"rad":0.3}"#)
        .contains(#""rad":1,"#))
  }

  @Test("NaN and infinity are left out") func noNumber() {
    var location = OwnTracksLocation(
      UTCInstant(seconds: 1), Coordinate(latitude: 1, longitude: 2), accuracy: Metres(.nan))
    location.altitude = Metres(.infinity)
    location.speed = MetresPerSecond(.nan)
    location.course = Degrees(.nan)
    #expect(
      String(decoding: OwnTracksMessage.location(location).bytes, as: UTF8.self)
        == #"{"_type":"location","tst":1,"lat":1.0000000,"lon":2.0000000}"#)
  }
}
