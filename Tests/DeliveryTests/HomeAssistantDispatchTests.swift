import Messages
import Notation
import Quantities
import Records
import Testing

@testable import Delivery

@Suite struct HomeAssistantDispatchTests {
  private static let start = UTCInstant(seconds: 1_777_593_600)

  private static func point(_ second: Double) -> TrackPoint {
    TrackPoint(
      location: Location(
        time: start + Seconds(second), position: Coordinate(latitude: 52.5, longitude: 5.25),
        accuracy: 4.4, speed: nil, track: nil, altitude: nil, source: .gnss), reason: .scheduled)
  }

  @Test("the newest position alone goes out: none that was recorded late") func newest() throws {
    var dispatch = try #require(HomeAssistantDispatch(UplinkBoard("bike", of: "ann", version: "1")))
    let found = dispatch.position(Self.point(10))
    let first = try #require(found)
    #expect(first.topic == "godwit/ann/bike/position")
    #expect(first.isRetained && first.isNewestOnly)
    #expect(
      String(decoding: first.payload, as: UTF8.self)
        == #"{"latitude":52.5000000,"longitude":5.2500000,"gps_accuracy":4,"#
        + #""fix_time":"2026-05-01T00:00:10Z"}"#)
    let later = [5, 10, 11].map { dispatch.position(Self.point($0)) }
    #expect(later.map { $0 != nil } == [false, false, true])
  }

  @Test("boards of any names have ids of their own that Home Assistant takes")
  func ids() throws {
    let names = ["bike", "größe", "grüße", "a b", String(repeating: "x", count: 80), "字"]
    var ids: Set<String> = []
    for name in names {
      let id = UplinkTopics(user: "ann", device: name).plainID
      #expect(HomeAssistantTopics(id: id, under: "a") != nil, "\(id)")
      ids.insert(id)
      let board = UplinkBoard(name, of: "ann", version: "1")
      #expect(HomeAssistantDispatch(board) != nil, "\(name)")
    }
    #expect(ids.count == names.count)
  }

  @Test("the state has what the daemon says, and nothing of a visit that is over") func state()
    throws
  {
    let status = try JSONValue(
      parsing: #"""
        {"gnss":"tracking","current_mA":24.5,"next_wake":"2026-05-04T07:12:02Z",
         "energy":{"gnss_energy_J":7200},"budget":{"battery":{"level_percent":81.6}},
         "visit":{"label":"Home","departure":null}}
        """#)
    let state = BoardStatus(status).homeAssistant()
    #expect(state.batteryPercent == 82)
    #expect(state.gnss == .tracking)
    #expect(state.current.map { abs($0.value - 0.0245) < 1e-9 } == true)
    #expect(state.energy == 7200)
    #expect(state.visit == "Home")
    let over = try JSONValue(
      parsing: #"{"visit":{"label":"Home","departure":"2026-05-04T07:12:02Z"},"gnss":"odd"}"#)
    #expect(BoardStatus(over).homeAssistant() == HomeAssistantState())
  }

  @Test("Prometheus' text has what is known, and no family of what is not") func prometheus() throws
  {
    let status = try JSONValue(
      parsing: #"{"recording":true,"energy":{"gnss_on_s":12.5},"current_mA":"below floor"}"#)
    let text = String(decoding: BoardStatus(status).prometheus.bytes, as: UTF8.self)
    #expect(text.contains("godwit_recording 1\n"))
    #expect(text.contains("godwit_gnss_on_seconds_total 12.5\n"))
    #expect(!text.contains("current"))
  }
}
