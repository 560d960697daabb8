import Glibc
import Core
import Platform

/// What the kernel refused, and at which step.
struct GpioRefusal: Error, Equatable {
  enum Step: Equatable, Sendable {
    case opening, describing, holding
    /// An output.
    case driving, setting, reading
    /// The edges of an input.
    case watching
  }

  var step: Step
  var error: SystemError

  /// Another program or driver has the line.
  static let held = GpioRefusal(step: .holding, error: SystemError(code: EBUSY))

  /// The chip was unplugged or its driver unbound: its held lines are no longer usable.
  var chipIsGone: Bool { [ENODEV, ENXIO, ENOENT, ESHUTDOWN].contains(error.code) }
}

/// What went wrong with a GPIO line, and what to do about it, whatever the line is for.
enum GpioErrorText {
  /// - Parameter devices: the folder of the chips' devices.
  static func reason(_ failure: LineSearch.Failure, devices: String) -> String {
    switch failure {
    case .noChips(let refusals):
      guard let first = refusals.first else {
        return
          "there is no GPIO chip (\(devices)/gpiochip*); check that its driver is loaded, and that "
          + "the daemon may access its devices"
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
        + "name the line (gpio-line-names in the device tree) and use that name"
    case .beyondLastLine(let label, let offset, let count):
      return
        "\(TerminalText.line(label)) has \(count) lines, 0 to \(count - 1), but no line \(offset)"
    }
  }

  /// - Parameters:
  ///   - holder: the consumer name of the program that has the line.
  ///   - next: when a missing chip is searched for again: "when the line is next set".
  /// - Returns: nil if the reason depends on the purpose of the line.
  static func reason(
    _ refusal: GpioRefusal, path: String, holder: String?, next: String
  ) -> String? {
    let said = refusal.error.text
    if refusal.chipIsGone {
      return
        "its chip \(path) has disappeared (\(said)): it was unplugged, or its driver was unbound. "
        + "It is searched again \(next)"
    }
    switch refusal.step {
    case .opening, .describing: return opening(path, refusal.error)
    case .holding where refusal.error.code == EBUSY, .watching where refusal.error.code == EBUSY:
      return busy(holder)
    case .holding:
      return "the line on \(path) cannot be requested (\(said)); check whether the pin has another "
        + "function in the device tree"
    case .driving, .setting, .reading, .watching: return nil
    }
  }

  private static func opening(_ path: String, _ error: SystemError) -> String {
    let said = error.text
    switch error.code {
    case EACCES, EPERM:
      return "\(path) may not be opened (\(said)). "
        + DeviceAccess.advice(
          for: path, udevRule: "60-godwit-access.rules grants godwit access")
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
      holder == GpioChip.consumer
      ? "another godwit is running; stop it" : "stop that program or driver, or use another line"
    return "the line is in use by \(TerminalText.line(holder)); \(advice)"
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
