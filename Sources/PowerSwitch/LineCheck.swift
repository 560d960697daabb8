import CGpiod
import Notation
import PowerControl

/// What can be learnt about a wired line without touching it.
public struct LineCheck: Equatable, Sendable {
  /// The line that the settings resolve to, "pinctrl-bcm2711:17 on gpiochip0"; nil: none.
  public var resolved: String?
  /// Its chip's label; nil: no such line.
  public var label: String?
  /// No program or driver holds it.
  public var isFree = false
  /// A godwit process, such as the daemon, holds it.
  public var isOurs = false
  /// Why it cannot be used, and what to do about it.
  public var problem: String?

  /// Examines every wired line. Requests none of them.
  public static func examine(_ settings: GpioSwitchSettings) -> [PowerLine: LineCheck] {
    let survey = GpioChip.survey(settings.devices)
    let search = LineSearch.find(settings.lines.mapValues(\.specifier), in: survey)
    return settings.lines.reduce(into: [:]) { results, entry in
      let (line, wiring) = entry
      switch search[line] {
      case .success(let found):
        guard let state = survey.line(at: found) else { return }
        results[line] = LineCheck(line, wiring, found, state, devices: settings.devices)
      case .failure(let failure):
        let error = GpioErrorText.notFound(line, wiring, failure, devices: settings.devices)
        results[line] = LineCheck(problem: error.message)
      case nil: return
      }
    }
  }

  private init(problem: String) { self.problem = problem }

  private init(
    _ line: PowerLine, _ wiring: GpioLine, _ found: LineSearch.Found, _ state: LineDescription,
    devices: String
  ) {
    resolved = "\(TerminalText.line(found.label)):\(found.offset) on \(found.chip)"
    label = found.label
    isFree = !state.isUsed
    isOurs = state.isUsed && state.consumer == GpioSwitch.consumer
    guard state.isUsed, !isOurs else { return }
    problem =
      GpioErrorText.refused(
        line, wiring, GpioRefusal.held, path: "\(devices)/\(found.chip)", holder: state.consumer
      ).message
  }

  /// "libgpiod 1.6.3".
  public static var library: String { "libgpiod " + String(cString: godwit_gpio_library()) }
}
