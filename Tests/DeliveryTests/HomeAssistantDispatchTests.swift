import Formats
import Core
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

  @Test("only the newest position is sent, and none that was recorded late") func newest() throws {
    let dispatch = try #require(HomeAssistantDispatch(UplinkBoard("bike", of: "ann", version: "1")))
    var state = OutboxState(stream: RecordStream(name: "a"))
    let found = dispatch.position(Self.point(10), &state)
    let first = try #require(found)
    #expect(first.topic == "godwit/ann/bike/position")
    #expect(first.isRetained && first.isNewestOnly)
    #expect(
      String(decoding: first.payload, as: UTF8.self)
        == #"{"latitude":52.5000000,"longitude":5.2500000,"gps_accuracy":4,"#
        + #""fix_time":"2026-05-01T00:00:10Z"}"#)
    let later = [5, 10, 11].map { dispatch.position(Self.point($0), &state) }
    #expect(later.map { $0 != nil } == [false, false, true])
  }

  @Test("boards of any name have unique ids that Home Assistant accepts")
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

  @Test("the state has the daemon's data, and nothing of a visit that is over") func state()
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

  @Test("with rounding, neither a request nor Home Assistant gets the exact place of a visit")
  func rounded() throws {
    let status = try JSONValue(
      parsing: #"""
        {"time":"2026-05-01T09:00:00Z","fix":{"lat":52.0907123,"lon":5.1214456,"accuracy_m":4,
         "time":"2026-05-01T08:59:00Z"},
         "visit":{"lat":52.0907123,"lon":5.1214456,"label":"Home",
         "arrival":"2026-05-01T08:00:00Z","departure":null,
         "arrival_earliest":"2026-05-01T07:00:00Z"}}
        """#)
    let settings = try UplinkSettingsReading.read("[uplink.privacy]\nround_m = 2000\n")
    let rounding = PrivacyFilter(settings.privacy, areas: [], zone: .utc, pauses: [])
    let told = BoardStatus(status).summary(as: rounding)
    #expect(told["visit"]?["arrival"]?.string == "2026-05-01T08:00:00Z")
    #expect(told["fix"]?["accuracy_m"]?.number == 1420)
    for secret in ["907123", "214456", "Home", "07:00"] {
      #expect(!told.text.contains(secret), "\(secret) in \(told.text)")
    }
    #expect(BoardStatus(status).homeAssistant(as: rounding).visit == nil)
    let exact = BoardStatus(status).summary(as: .none)
    #expect(exact["visit"]?["label"]?.string == "Home")
    #expect(exact["visit"]?["lat"]?.number == 52.0907123)
  }

  @Test("a status contains nothing that is private now: closed hours or a pause") func closed()
    throws
  {
    let status = try JSONValue(
      parsing: #"""
        {"time":"2026-05-01T19:00:00Z","visit":{"lat":52.1,"lon":5.1,"label":"Home",
         "arrival":"2026-05-01T17:00:00Z","departure":null}}
        """#)
    let settings = try UplinkSettingsReading.read(
      "[uplink.privacy]\nhours = \"08:00-18:00\"\n")
    let hours = PrivacyFilter(settings.privacy, areas: [], zone: .utc, pauses: [])
    #expect(BoardStatus(status).summary(as: hours)["visit"] == .null)
    #expect(BoardStatus(status).homeAssistant(as: hours).visit == nil)
  }

  @Test("the Prometheus text has known values, and no family without one") func prometheus() throws
  {
    let status = try JSONValue(
      parsing: #"{"recording":true,"energy":{"gnss_on_s":12.5},"current_mA":"below floor"}"#)
    let text = String(decoding: BoardStatus(status).prometheus.bytes, as: UTF8.self)
    #expect(text.contains("godwit_recording 1\n"))
    #expect(text.contains("godwit_gnss_on_seconds_total 12.5\n"))
    #expect(!text.contains("current"))
  }
}
