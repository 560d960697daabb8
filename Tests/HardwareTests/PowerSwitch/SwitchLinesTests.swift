import GNSS
import Testing

@testable import Hardware

@Suite struct SwitchLinesTests {
  @Test("one line for two purposes is refused, however it is written")
  func oneLineForTwoPurposesIsRefusedHoweverItIsWritten() throws {
    let chip = ChipDescription(
      name: "gpiochip0", label: "pinctrl-bcm2711",
      lines: ["ID_SDA", "GPIO4", "GNSS_EN"].map { LineDescription(name: $0) })
    let survey = ChipList(chips: [chip])
    let results = SwitchLines.find(
      [.supply: .named("GNSS_EN"), .reset: .offset(chipLabel: "pinctrl-bcm2711", 2)],
      in: survey)
    let line = LineSearch.Found(chip: "gpiochip0", label: "pinctrl-bcm2711", offset: 2)
    #expect(results[.supply] == .success(line))
    #expect(results[.reset] == .failure(.shared(line, with: .supply)))
    #expect(results.count == 2)
  }
}
