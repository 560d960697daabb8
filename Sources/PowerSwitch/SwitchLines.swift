import GpioLines
import PowerControl

/// Finds the lines of a switch, each a different one.
enum SwitchLines {
  enum Failure: Error, Equatable {
    case notFound(LineSearch.Failure)
    /// One line for two purposes.
    case shared(LineSearch.Found, with: PowerLine)
  }

  static func find(
    _ specifiers: [PowerLine: GpioLine.Specifier], in survey: ChipSurvey
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
