import GpioLines
import PowerControl

/// What can be learnt about a switch without touching it.
public enum SwitchCheck {
  /// Examines every wired line. Requests none of them.
  public static func examine(_ settings: GpioSwitchSettings) -> [PowerLine: LineCheck] {
    let survey = GpioChip.survey(settings.devices)
    let search = SwitchLines.find(settings.lines.mapValues(\.specifier), in: survey)
    return settings.lines.reduce(into: [:]) { results, entry in
      let (line, wiring) = entry
      switch search[line] {
      case .success(let found):
        results[line] = LineCheck(found, in: survey, devices: settings.devices) {
          SwitchErrorText.refused(line, wiring, $0, path: $1, holder: $2).message
        }
      case .failure(let failure):
        let error = SwitchErrorText.notFound(line, wiring, failure, devices: settings.devices)
        results[line] = LineCheck(problem: error.message)
      case nil: return
      }
    }
  }
}
