import GNSS
import TestSupport
import Testing

@Suite struct GpioLineTests {
  @Test(
    "a line is written as it was read",
    arguments: [
      "GNSS_EN", "pinctrl-bcm2711:17", "GNSS_EN active-low",
      "gpio-sim.0-node0:3 open-drain pull-up",
      "a:b", "LINE active-low open-source bias-disabled",
    ])
  func aLineIsWrittenAsItWasRead(text: String) throws {
    #expect(try GpioLine(parsing: text).text == text)
  }

  @Test("an offset requires a chip") func anOffsetIsOneOfAChip() throws {
    let line = try GpioLine(parsing: "pinctrl-rp1:17  pull-down active-low")
    #expect(line.specifier == .offset(chipLabel: "pinctrl-rp1", 17))
    #expect(line.bias == .pullDown)
    #expect(line.isActiveLow)
    #expect(line.drive == .pushPull)
  }

  @Test(
    "a text that specifies no line is refused",
    arguments: ["", "  ", ":17", "chip:70000", "chip:99999999999", "GNSS_EN upside-down"])
  func whatNamesNoLineIsRefused(text: String) {
    let error = thrown(GpioLine.Mismatch.self) { _ = try GpioLine(parsing: text) }
    #expect(error != nil)
  }
}
