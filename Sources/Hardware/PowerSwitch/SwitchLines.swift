import GNSS

/// Finds the lines of a switch, each a different one.
enum SwitchLines {
  enum Failure: Error, Equatable {
    case notFound(LineSearch.Failure)
    /// One line for two purposes.
    case shared(LineSearch.Found, with: PowerLine)
  }

  static func find(
    _ specifiers: [PowerLine: GpioLine.Specifier], in survey: ChipList
  ) -> [PowerLine: Result<LineSearch.Found, Failure>] {
    var takenBy: [LineSearch.Found: PowerLine] = [:]
    var results: [PowerLine: Result<LineSearch.Found, Failure>] = [:]
    for line in PowerLine.allCases {
      guard let specifier = specifiers[line] else { continue }
      do {
        let found = try LineSearch.find(specifier, in: survey)
        if let other = takenBy.updateValue(line, forKey: found) {
          results[line] = .failure(.shared(found, with: other))
        } else {
          results[line] = .success(found)
        }
      } catch {
        results[line] = .failure(.notFound(error))
      }
    }
    return results
  }
}

/// What can be found out about a switch without touching it.
public enum SwitchCheck {
  /// Examines every wired line, and requests none of them.
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
