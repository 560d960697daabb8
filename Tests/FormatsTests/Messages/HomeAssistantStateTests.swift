import Core
import Testing

@testable import Formats

@Suite struct HomeAssistantStateTests {
  @Test("known values in the announced units, byte for byte") func state() {
    var state = HomeAssistantState()
    state.batteryPercent = 71
    state.gnss = .acquiring
    state.current = 0.0254321
    state.energy = 1800
    state.nextFix = UTCInstant(seconds: 1_764_072_000)
    state.visit = "The \"Shed\""
    #expect(
      String(decoding: state.bytes, as: UTF8.self)
        == #"{"battery_percent":71,"gnss":"acquiring","current_mA":25.432,"energy_Wh":0.5000,"#
        + #""next_fix":"2025-11-25T12:00:00Z","visit":"The \"Shed\""}"#)
  }

  @Test("invalid numbers and impossible charges count as unknown") func unknown() {
    var state = HomeAssistantState()
    state.batteryPercent = 101
    state.current = Amperes(.nan)
    state.energy = Joules(.infinity)
    state.visit = ""
    #expect(
      String(decoding: state.bytes, as: UTF8.self)
        == #"{"battery_percent":null,"gnss":null,"current_mA":null,"energy_Wh":null,"#
        + #""next_fix":null,"visit":null}"#)
  }

  @Test("a name too long for a state is shortened") func longName() throws {
    var state = HomeAssistantState()
    state.visit = String(repeating: "e\u{301}", count: 200)
    let shown = try #require(try JSONValue(parsing: state.bytes)["visit"]?.string)
    #expect(shown.unicodeScalars.count == 255 && shown.hasSuffix("…"))
    state.visit = String(repeating: "ß", count: 255)
    #expect(try JSONValue(parsing: state.bytes)["visit"]?.string == state.visit)
  }
}
