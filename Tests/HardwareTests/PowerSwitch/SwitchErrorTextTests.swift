import Glibc
import Platform
import GNSS
import Testing

@testable import Hardware

@Suite struct SwitchErrorTextTests {
  static let steps: [GpioRefusal.Step] = [
    .opening, .describing, .holding, .driving, .setting, .reading,
  ]

  static func wiring(_ text: String) throws -> GpioLine { try GpioLine(parsing: text) }

  static func message(
    _ step: GpioRefusal.Step, _ code: Int32, holder: String? = nil
  ) throws -> String {
    SwitchErrorText.refused(
      .supply, try wiring("GNSS_EN"), GpioRefusal(step: step, error: SystemError(code: code)),
      path: "/dev/gpiochip3",
      holder: holder
    ).message
  }

  /// Every step and every error number of the kernel, including its internal ones (517, 524).
  @Test("every refusal of the kernel names the setting and the error")
  func everyRefusalNamesItsSetting() throws {
    for step in Self.steps {
      for code in Int32(1)...530 {
        let message = try Self.message(step, code)
        #expect(message.hasPrefix("power_switch.supply = \"GNSS_EN\": "), "\(message)")
        #expect(
          message.contains("/dev/gpiochip3") || code == EBUSY || step == .driving, "\(message)")
        #expect(message.contains(SystemError(code: code).text) || code == EBUSY, "\(message)")
      }
    }
  }

  @Test(
    "the holder of a busy line is named",
    arguments: [
      ("gpioset", "in use by gpioset"), ("godwit", "another godwit"), ("", "the kernel itself"),
      ("?", "the kernel itself"), ("\u{1B}[31mred", "in use by \u{FFFD}[31mred"),
    ])
  func theHolderIsNamedByItsConsumerName(holder: String, words: String) throws {
    #expect(try Self.message(.holding, EBUSY, holder: holder).contains(words))
  }

  @Test(
    "every cause has advice",
    arguments: [
      (GpioRefusal.Step.opening, EACCES, "group"), (.opening, ENOTTY, "CONFIG_GPIO_CDEV"),
      (.describing, EINVAL, "older than 5.10"), (.driving, EIO, "cannot be an output"),
      (.driving, EINVAL, "flags"), (.setting, EREMOTEIO, "expander"), (.reading, EIO, "on_start"),
      (.setting, ENODEV, "has disappeared"), (.holding, EINVAL, "another function"),
    ])
  func everyCauseComesWithWhatToDo(step: GpioRefusal.Step, code: Int32, words: String) throws {
    #expect(try Self.message(step, code).contains(words))
  }

  @Test("a missing line is refused with the existing ones") func whatIsNotFoundSaysWhatThereIs()
    throws
  {
    let found = LineSearch.Found(chip: "gpiochip0", label: "soc\u{7}", offset: 17)
    let refusal = ChipRefusal(path: "/dev/gpiochip1", error: SystemError(code: EACCES))
    let cases: [(SwitchLines.Failure, [String])] = [
      (.notFound(.noChips([])), ["there is no GPIO chip (/dev/gpiochip*)"]),
      (.notFound(.noChips([refusal])), ["/dev/gpiochip1 may not be opened"]),
      (.notFound(.noSuchName("X", nearest: [], refusals: [])), ["called X", "LABEL:OFFSET"]),
      (.notFound(.noSuchName("X", nearest: ["Y", "Z"], refusals: [])), ["Y, Z", "gpioinfo"]),
      (
        .notFound(.noSuchName("X", nearest: ["Y"], refusals: [refusal, refusal])),
        ["Not readable: /dev/gpiochip1 and 1 more"]
      ),
      (
        .notFound(.severalLines("X", [found, found])),
        ["2 lines are called X", "soc\u{FFFD}:17 (gpiochip0)"]
      ),
      (
        .notFound(.noSuchLabel("X", labels: ["a", "b"], refusals: [])),
        ["label X", "a, b", "gpiodetect"]
      ),
      (.notFound(.severalChips(label: "X", ["gpiochip1", "gpiochip2"])), ["gpiochip1, gpiochip2"]),
      (.notFound(.beyondLastLine(label: "X", offset: 54, count: 54)), ["0 to 53", "no line 54"]),
      (.shared(found, with: .reset), ["soc\u{FFFD}:17", "also power_switch.reset"]),
    ]
    for (failure, words) in cases {
      let message = SwitchErrorText.notFound(
        .wake, try Self.wiring("X"), failure, devices: "/dev"
      ).message
      #expect(message.hasPrefix("power_switch.wake = \"X\": "))
      for word in words { #expect(message.contains(word), "\(message)") }
    }
  }

  @Test(
    "a line that does not follow is reported with where to look",
    arguments: [
      ("X", "short circuit"), ("X open-drain", "pull-up"), ("X open-source", "pull-down"),
    ])
  func aLineThatDoesNotFollowSaysWhereToLook(text: String, words: String) throws {
    let message = SwitchErrorText.doesNotFollow(.wake, try Self.wiring(text), active: true).message
    #expect(message.contains("set active but does not follow"))
    #expect(message.contains(words))
  }
}
