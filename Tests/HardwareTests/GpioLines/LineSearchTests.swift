import Platform
import GNSS
import Testing

@testable import Hardware

@Suite struct LineSearchTests {
  /// A Pi 4 with an expander whose driver provides no names, and two alike.
  static let survey = ChipList(
    chips: [
      chip("gpiochip0", "pinctrl-bcm2711", ["ID_SDA", "GPIO4", "GNSS_EN", "GNSS_WAKE", "-", "-"]),
      chip("gpiochip1", "raspberrypi-exp-gpio", ["BT_ON", "GNSS_WAKE"]),
      chip("gpiochip2", "pcf8574", ["", ""]),
      chip("gpiochip3", "pcf8574", ["", "LEVEL_EN"]),
    ])

  static func chip(_ name: String, _ label: String, _ lines: [String]) -> ChipDescription {
    ChipDescription(name: name, label: label, lines: lines.map { LineDescription(name: $0) })
  }

  static func failure(_ text: String, in survey: ChipList = survey) throws -> LineSearch.Failure? {
    let specifier = try GpioLine(parsing: text).specifier
    do {
      let found = try LineSearch.find(specifier, in: survey)
      Issue.record("\(text) was found at \(found)")
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "an existing line is found",
    arguments: [
      ("GNSS_EN", "gpiochip0", 2), ("LEVEL_EN", "gpiochip3", 1),
      ("pinctrl-bcm2711:4", "gpiochip0", 4),
      ("raspberrypi-exp-gpio:0", "gpiochip1", 0), ("pinctrl-bcm2711:5", "gpiochip0", 5),
    ])
  func whatIsThereIsFound(text: String, chip: String, offset: UInt32) throws {
    let found = try LineSearch.find(GpioLine(parsing: text).specifier, in: Self.survey)
    #expect(found.chip == chip)
    #expect(found.offset == offset)
  }

  @Test("a name on two chips is refused") func aNameOnTwoChipsIsNotGuessed() throws {
    #expect(
      try Self.failure("GNSS_WAKE")
        == .severalLines(
          "GNSS_WAKE",
          [
            .init(chip: "gpiochip0", label: "pinctrl-bcm2711", offset: 3),
            .init(chip: "gpiochip1", label: "raspberrypi-exp-gpio", offset: 1),
          ]))
  }

  @Test("a name twice on one chip is refused") func aNameTwiceOnOneChipIsNotGuessed() throws {
    let failure = try Self.failure("-")
    guard case .severalLines("-", let found) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(found.map(\.offset) == [4, 5])
  }

  @Test("an unknown name is refused with similar ones")
  func anUnknownNameComesWithTheNearest() throws {
    guard case .noSuchName("GNSS-EN", let nearest, []) = try Self.failure("GNSS-EN") else {
      Issue.record("another failure")
      return
    }
    #expect(nearest.first == "GNSS_EN")
    #expect(nearest.count == LineSearch.nearestNames)
    #expect(!nearest.contains("") && !nearest.contains("-"))
  }

  @Test("a chip's number is not a label, and the error lists the labels")
  func aChipIsFoundByLabelAndNotByNumber() throws {
    guard case .noSuchLabel("gpiochip0", let labels, []) = try Self.failure("gpiochip0:17") else {
      Issue.record("another failure")
      return
    }
    #expect(labels == ["pcf8574", "pinctrl-bcm2711", "raspberrypi-exp-gpio"])
  }

  @Test("two chips with one label are refused") func twoChipsOfOneLabelAreNotGuessed() throws {
    #expect(
      try Self.failure("pcf8574:1")
        == .severalChips(label: "pcf8574", ["gpiochip2", "gpiochip3"]))
  }

  @Test("an offset beyond the last line is refused", arguments: [6, 7, 65_535])
  func anOffsetBeyondTheLastLineIsRefused(offset: UInt32) throws {
    #expect(
      try Self.failure("pinctrl-bcm2711:\(offset)")
        == .beyondLastLine(label: "pinctrl-bcm2711", offset: offset, count: 6))
  }

  @Test("unreadable chips are reported") func whatCouldNotBeLookedIntoIsTold() throws {
    let refusal = ChipRefusal(path: "/dev/gpiochip9", error: SystemError(code: 13))
    #expect(
      try Self.failure("GNSS_EN", in: ChipList(refusals: [refusal])) == .noChips([refusal]))
    #expect(try Self.failure("a:1", in: ChipList()) == .noChips([]))
    var survey = Self.survey
    survey.refusals = [refusal]
    guard case .noSuchName(_, _, [refusal]) = try Self.failure("X", in: survey),
      case .noSuchLabel(_, _, [refusal]) = try Self.failure("x:1", in: survey)
    else {
      Issue.record("another failure")
      return
    }
  }

  /// Whatever the chips' names, exactly one line is found or a failure gives the reason.
  @Test("a label and an offset find their line, unless chips share the label")
  func everyLineIsFoundByItsLabelAndOffsetUnlessTheLabelIsShared() {
    for chip in Self.survey.chips {
      for offset in chip.lines.indices {
        let found = Result { () throws(LineSearch.Failure) in
          try LineSearch.find(.offset(chipLabel: chip.label, UInt32(offset)), in: Self.survey)
        }
        let isShared = chip.label == "pcf8574"
        #expect((try? found.get().chip) == (isShared ? nil : chip.name))
      }
    }
  }
}
