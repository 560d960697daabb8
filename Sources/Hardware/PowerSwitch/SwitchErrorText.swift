import Glibc
import Ports
import GNSS

/// Errors of the switch's lines, with what to do about each.
enum SwitchErrorText {
  static func setting(_ line: PowerLine) -> String { "power_switch.\(line.rawValue)" }

  private static func error(
    _ line: PowerLine, _ wiring: GpioLine, _ reason: String
  ) -> PortError {
    PortError("\(setting(line)) = \"\(wiring.text)\": \(reason)")
  }

  static func notFound(
    _ line: PowerLine, _ wiring: GpioLine, _ failure: SwitchLines.Failure, devices: String
  ) -> PortError {
    switch failure {
    case .notFound(let failure):
      error(line, wiring, GpioErrorText.reason(failure, devices: devices))
    case .shared(let found, let other):
      error(line, wiring, "\(found.text) is also \(setting(other)); each needs a separate line")
    }
  }

  /// - Parameter holder: the consumer name of the program that has the line.
  static func refused(
    _ line: PowerLine, _ wiring: GpioLine, _ refusal: GpioRefusal, path: String, holder: String?
  ) -> PortError {
    let reason = GpioErrorText.reason(
      refusal, path: path, holder: holder, next: "when the line is next set")
    return error(line, wiring, reason ?? self.reason(refusal, path: path))
  }

  private static func reason(_ refusal: GpioRefusal, path: String) -> String {
    let said = refusal.error.text
    switch refusal.step {
    case .driving where refusal.error.code == EINVAL || refusal.error.code == ENOTTY:
      return "the kernel does not accept these flags (\(said)); remove active-low, open-drain, "
        + "open-source and the pull words one by one. Linux 5.5 is the oldest that "
        + "works (5.10 with libgpiod 2)"
    // gpiolib.c returns EIO for a chip that cannot drive the line, or a line in use as an
    // interrupt.
    case .driving where refusal.error.code == EIO || refusal.error.code == EPERM:
      return "the line on \(path) cannot be an output (\(said)): it is an input only, in use as an "
        + "interrupt, or its expander does not answer"
    case .reading:
      return "the line on \(path) cannot be read (\(said)), so it cannot be kept as it is; set "
        + "power_switch.on_start to off or on"
    default:
      return "the line on \(path) cannot be set (\(said)); if it is on an expander, check its bus"
    }
  }

  static func doesNotFollow(
    _ line: PowerLine, _ wiring: GpioLine, active: Bool
  ) -> PortError {
    let asked = active ? "active" : "inactive"
    let advice =
      switch wiring.drive {
      case .pushPull: "something else drives it, check for a short circuit"
      case .openDrain:
        "open-drain needs a pull-up (the word, or a resistor), and nothing that pulls"
      case .openSource: "open-source needs a pull-down (the word, or a resistor), and nothing else"
      }
    return error(line, wiring, "the line was set \(asked) but does not follow; \(advice)")
  }

  static func notWired(_ line: PowerLine) -> PortError {
    PortError("\(setting(line)) is empty: this line is not wired")
  }
}
