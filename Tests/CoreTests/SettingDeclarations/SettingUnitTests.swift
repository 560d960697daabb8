import Core
import Testing

@Suite struct SettingUnitTests {
  private struct Spot: SettingGroup {
    var latitude: Degrees = 53.25

    mutating func declare(_ setting: SettingVisitor) {
      setting("lat_deg", &latitude, .quantity(-90...90), "Where it is.")
    }
  }

  @Test("an angle is written in degrees")
  func degrees() throws {
    var spot = Spot()
    #expect(spot.value(of: "lat_deg") == .number(53.25))
    try spot.set("lat_deg", WrittenValue(.float(-12.5), line: 1))
    #expect(spot.latitude == -12.5)
    #expect(DeclaredSettings(in: spot)["lat_deg"]?.accepts == "-90 to 90 °")
  }
}
