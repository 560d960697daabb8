import Core
import Testing

@testable import godwit

/// `godwit coarse watch` displays the daemon's events.
@Suite struct CoarseCommandTests {
  private static func source(_ says: String, failed: Bool = false) -> JSONValue {
    .object([
      ("name", .string("wifi")), ("trusted", .bool(true)), ("confirmed", .number(4)),
      ("contradicted", .number(0)), ("says", .string(says)), ("failed", .bool(failed)),
      ("heard_ago_s", .number(61)),
    ])
  }

  private static let motion = JSONValue.object([
    ("state", .string("resting")), ("since_ago_s", .number(7200)), ("watched", .bool(true)),
  ])

  private static func news(_ source: JSONValue) -> JSONValue {
    .object([
      ("event", .string("source")), ("time", .null),
      ("source", .object([("source", source), ("belief", motion)])),
    ])
  }

  @Test("the first lines show the present state") func overview() {
    let status = JSONValue.object([
      ("sources", .array([Self.source("12 access points")])), ("belief", Self.motion),
      ("store", .string("not shown")),
    ])
    let news = JSONValue.object([
      ("event", .string("status")), ("time", .null), ("status", status),
    ])
    #expect(
      CoarseWatchCommand.lines(news, json: false) == [
        "wifi trusted (confirmed 4, contradicted 0, reported 61 s ago: 12 access points)",
        "resting for 2 h 00 min, and a sensor watches for departure",
      ])
    let json = CoarseWatchCommand.lines(news, json: true)
    #expect(json.count == 1 && json[0].contains("access points") && !json[0].contains("store"))
  }

  @Test("a line shows a source's report, and the location accepted since") func line() {
    #expect(
      CoarseWatchCommand.lines(Self.news(Self.source("12 access points")), json: false) == [
        "                     wifi      12 access points; resting for 2 h 00 min, and a sensor "
          + "watches for departure"
      ])
    let failed = CoarseWatchCommand.lines(
      Self.news(Self.source("no bus", failed: true)), json: false)
    #expect(failed.first?.contains("wifi      failed: no bus; ") == true)
  }

  @Test("without sources it says so, and other events are not shown") func nothing() {
    let status = JSONValue.object([("sources", .array([])), ("belief", .null)])
    let none = CoarseWatchCommand.lines(
      .object([("event", .string("status")), ("status", status)]), json: false)
    #expect(none.count == 1 && none[0].hasPrefix("no source is configured"))
    #expect(
      CoarseWatchCommand.lines(.object([("event", .string("fix"))]), json: false).isEmpty)
  }

  @Test("data from the socket cannot control the terminal") func hostile() {
    let lines = CoarseWatchCommand.lines(
      Self.news(Self.source("\u{1B}[2J\n12")), json: false)
    #expect(lines.count == 1 && !lines[0].contains("\u{1B}") && !lines[0].contains("\n"))
  }
}
