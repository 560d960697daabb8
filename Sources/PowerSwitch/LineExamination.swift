import CGpiod
import Notation
import PowerControl

/// What can be said of a wired line without touching it.
public struct LineExamination: Equatable, Sendable {
  /// Where it is now, "pinctrl-bcm2711:17 on gpiochip0"; nil: nowhere.
  public var place: String?
  /// Its chip's; nil: it is nowhere.
  public var label: String?
  /// No program or driver holds it.
  public var isFree = false
  /// A godwit holds it, such as the daemon.
  public var isOurs = false
  /// Why it cannot be used, and what to do about it.
  public var problem: String?

  /// Of every wired line. Takes none of them.
  public static func examine(_ settings: GpioSwitchSettings) -> [PowerLine: LineExamination] {
    let survey = GpioChip.survey(settings.devices)
    let places = LineSearch.find(settings.lines.mapValues(\.place), in: survey)
    return settings.lines.reduce(into: [:]) { results, entry in
      let (line, wiring) = entry
      switch places[line] {
      case .success(let found):
        guard let state = survey.line(at: found) else { return }
        results[line] = LineExamination(line, wiring, found, state, devices: settings.devices)
      case .failure(let failure):
        let error = GpioErrorText.notFound(line, wiring, failure, devices: settings.devices)
        results[line] = LineExamination(problem: error.message)
      case nil: return
      }
    }
  }

  private init(problem: String) { self.problem = problem }

  private init(
    _ line: PowerLine, _ wiring: GpioLine, _ found: LineSearch.Found, _ state: LineDescription,
    devices: String
  ) {
    place = "\(TerminalText.line(found.label)):\(found.offset) on \(found.chip)"
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
