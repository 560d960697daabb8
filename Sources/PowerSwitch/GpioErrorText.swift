import Glibc
import Notation
import Platform
import Ports
import PowerControl

/// Errors of GPIO lines, with what to do about each.
enum GpioErrorText {
  static func setting(_ line: PowerLine) -> String { "power_switch.\(line.rawValue)" }

  static func notFound(
    _ line: PowerLine, _ wiring: GpioLine, _ failure: LineSearch.Failure, devices: String
  ) -> PowerSwitchError {
    PowerSwitchError("\(setting(line)) = \"\(wiring.text)\": \(reason(failure, line, devices))")
  }

  private static func reason(
    _ failure: LineSearch.Failure, _ line: PowerLine, _ devices: String
  ) -> String {
    switch failure {
    case .noChips(let refusals):
      guard let first = refusals.first else {
        return "there is no GPIO chip (\(devices)/gpiochip*); is its driver loaded, and is the "
          + "daemon allowed to see its devices?"
      }
      return opening(first.path, first.error)
    case .noSuchName(let name, let nearest, let refusals):
      let there =
        nearest.isEmpty
        ? "no line here has a name; write it as LABEL:OFFSET"
        : "the most similar names: \(list(nearest))"
      return "no GPIO line is called \(TerminalText.line(name)); \(there). gpioinfo lists all lines"
        + hidden(refusals)
    case .severalLines(let name, let found):
      let lines = found.map { "\($0.label):\($0.offset) (\($0.chip))" }
      return
        "\(found.count) lines are called \(TerminalText.line(name)): \(list(lines)); write "
        + "the right one as LABEL:OFFSET"
    case .noSuchLabel(let label, let labels, let refusals):
      return
        "no GPIO chip has the label \(TerminalText.line(label)); labels here: \(list(labels)). "
        + "gpiodetect lists them; a chip's number (gpiochip0) is not its label" + hidden(refusals)
    case .severalChips(let label, let chips):
      return
        "\(chips.count) GPIO chips have the label \(TerminalText.line(label)): \(list(chips)); "
        + "give the line a name (gpio-line-names in the device tree) and use that"
    case .beyondLastLine(let label, let offset, let count):
      return
        "\(TerminalText.line(label)) has \(count) lines, 0 to \(count - 1), but no line \(offset)"
    case .sharedLine(let found, let other):
      return
        "\(TerminalText.line(found.label)):\(found.offset) is also \(setting(other)); each "
        + "needs a line of its own"
    }
  }

  /// - Parameter holder: the consumer name of the program that has the line.
  static func refused(
    _ line: PowerLine, _ wiring: GpioLine, _ refusal: GpioRefusal, path: String, holder: String?
  ) -> PowerSwitchError {
    PowerSwitchError(
      "\(setting(line)) = \"\(wiring.text)\": \(reason(refusal, path: path, holder: holder))")
  }

  private static func reason(_ refusal: GpioRefusal, path: String, holder: String?) -> String {
    let said = refusal.error.text
    if refusal.chipIsGone {
      return "its chip \(path) went away (\(said)): it was unplugged, or its driver was unbound. "
        + "It is looked for again when the line is next set"
    }
    switch refusal.step {
    case .opening, .describing: return opening(path, refusal.error)
    case .holding where refusal.error.code == EBUSY: return busy(holder)
    case .holding:
      return "the line on \(path) cannot be taken (\(said)); does the pin have another function in "
        + "the device tree?"
    case .driving where refusal.error.code == EINVAL || refusal.error.code == ENOTTY:
      return "the kernel does not accept these flags (\(said)); remove active-low, open-drain, "
        + "open-source and the pull words one by one. Linux 5.5 is the oldest that "
        + "works (5.10 with libgpiod 2)"
    // gpiolib.c answers EIO for a chip, or a line in use as interrupt, that cannot be an output.
    case .driving where refusal.error.code == EIO || refusal.error.code == EPERM:
      return "the line on \(path) cannot be an output (\(said)): it is an input only, in use as an "
        + "interrupt, or its expander does not answer"
    case .driving, .setting:
      return "the line on \(path) cannot be set (\(said)); if it is on an expander, check its bus"
    case .reading:
      return "the line on \(path) cannot be read (\(said)), so it cannot be kept as it is; set "
        + "power_switch.on_start to off or on"
    }
  }

  private static func opening(_ path: String, _ error: SystemError) -> String {
    let said = error.text
    switch error.code {
    case EACCES, EPERM:
      return "\(path) may not be opened (\(said)). "
        + DeviceAccess.advice(
          for: path, udevRule: "60-godwit-access.rules gives it to godwit")
    case EINVAL, ENOTTY, ENOSYS:
      return "\(path) does not offer this interface (\(said)): the kernel is older than 5.10, or "
        + "was built without CONFIG_GPIO_CDEV (CONFIG_GPIO_CDEV_V1 for libgpiod 1)"
    case EMFILE, ENFILE, ENOMEM:
      return "\(path) could not be opened just now (\(said))"
    default:
      return "the lines of \(path) cannot be read (\(said))"
    }
  }

  private static func busy(_ holder: String?) -> String {
    guard let holder, !holder.isEmpty, holder != "?" else {
      return "the line is in use by the kernel itself (a hog, or a driver such as leds-gpio); free "
        + "it in the device tree or use another one"
    }
    let advice =
      holder == GpioSwitch.consumer
      ? "another godwit is running; stop it" : "stop that program or driver, or use another line"
    return "the line is in use by \(TerminalText.line(holder)); \(advice)"
  }

  static func doesNotFollow(
    _ line: PowerLine, _ wiring: GpioLine, active: Bool
  ) -> PowerSwitchError {
    let asked = active ? "active" : "inactive"
    let advice =
      switch wiring.drive {
      case .pushPull: "something else drives it, look for a short circuit"
      case .openDrain:
        "open-drain needs a pull-up (the word, or a resistor), and nothing that pulls"
      case .openSource: "open-source needs a pull-down (the word, or a resistor), and nothing else"
      }
    return PowerSwitchError(
      "\(setting(line)) = \"\(wiring.text)\": the line was set \(asked) but does not follow; "
        + advice)
  }

  static func notWired(_ line: PowerLine) -> PowerSwitchError {
    PowerSwitchError("\(setting(line)) is empty: this line is not wired")
  }

  private static func hidden(_ refusals: [ChipRefusal]) -> String {
    guard let first = refusals.first else { return "" }
    let more = refusals.count > 1 ? " and \(refusals.count - 1) more" : ""
    return ". Not readable: \(first.path)\(more) (\(first.error.text))"
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.map(TerminalText.line).joined(separator: ", ")
  }
}
