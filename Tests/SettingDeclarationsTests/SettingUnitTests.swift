import Quantities
import SettingDeclarations
import Testing

@Suite struct SettingUnitTests {
  private struct Spot: SettingGroup {
    var latitude: Degrees = 53.25

    static let setting = Setting<Spot>(
      "lat_deg", \.latitude, .quantity(-90...90), "Where it is.")
  }

  @Test("an angle is written in degrees")
  func degrees() throws {
    var spot = Spot()
    #expect(Spot.setting.value(in: spot) == .number(53.25))
    try Spot.setting.read(WrittenValue(.float(-12.5), line: 1), &spot)
    #expect(spot.latitude == -12.5)
    #expect(Spot.setting.accepts == "-90 to 90 °")
  }
}
