import Notation
import PowerControl

/// Finds the one line that the settings specify, or says precisely why there is none.
enum LineSearch {
  struct Found: Hashable {
    /// Of the chip in the survey.
    var chip: String
    var label: String
    var offset: UInt32
  }

  enum Failure: Error, Equatable {
    /// No chip could be read; the refusals say why, if there are chips at all.
    case noChips([ChipRefusal])
    /// - Parameters:
    ///   - nearest: the most similar names.
    ///   - refusals: the chips on which it might nevertheless be.
    case noSuchName(String, nearest: [String], refusals: [ChipRefusal])
    case severalLines(String, [Found])
    case noSuchLabel(String, labels: [String], refusals: [ChipRefusal])
    case severalChips(label: String, [String])
    case beyondLastLine(label: String, offset: UInt32, count: Int)
    /// One line for two purposes.
    case sharedLine(Found, with: PowerLine)
  }

  static let nearestNames = 4
  static let maxLabels = 12

  static func find(_ specifier: GpioLine.Specifier, in survey: ChipSurvey) throws(Failure) -> Found
  {
    guard !survey.chips.isEmpty else { throw .noChips(survey.refusals) }
    switch specifier {
    case .named(let name): return try find(name: name, in: survey)
    case .offset(let label, let offset):
      return try find(offset: offset, onChipLabelled: label, in: survey)
    }
  }

  /// All lines of a switch, each a different one.
  static func find(
    _ specifiers: [PowerLine: GpioLine.Specifier], in survey: ChipSurvey
  ) -> [PowerLine: Result<Found, Failure>] {
    var takenBy: [Found: PowerLine] = [:]
    var results: [PowerLine: Result<Found, Failure>] = [:]
    for line in PowerLine.allCases {
      guard let specifier = specifiers[line] else { continue }
      do {
        let found = try find(specifier, in: survey)
        if let other = takenBy.updateValue(line, forKey: found) {
          results[line] = .failure(.sharedLine(found, with: other))
        } else {
          results[line] = .success(found)
        }
      } catch {
        results[line] = .failure(error)
      }
    }
    return results
  }

  private static func find(name: String, in survey: ChipSurvey) throws(Failure) -> Found {
    var found: [Found] = []
    for chip in survey.chips {
      for (offset, line) in chip.lines.enumerated() where line.name == name {
        found.append(Found(chip: chip.name, label: chip.label, offset: UInt32(offset)))
      }
    }
    if found.count > 1 { throw .severalLines(name, found) }
    if let only = found.first { return only }
    let names = survey.chips.flatMap { $0.lines.map(\.name) }.filter { !$0.isEmpty && $0 != "-" }
    let nearest = NearestName.nearest(to: name, among: names, limit: nearestNames)
    throw .noSuchName(name, nearest: nearest, refusals: survey.refusals)
  }

  private static func find(
    offset: UInt32, onChipLabelled label: String, in survey: ChipSurvey
  ) throws(Failure) -> Found {
    let chips = survey.chips.filter { $0.label == label }
    if chips.count > 1 { throw .severalChips(label: label, chips.map(\.name)) }
    guard let chip = chips.first else {
      let labels = Set(survey.chips.map(\.label)).sorted()
      throw .noSuchLabel(
        label, labels: Array(labels.prefix(maxLabels)), refusals: survey.refusals)
    }
    guard Int(offset) < chip.lines.count else {
      throw .beyondLastLine(label: label, offset: offset, count: chip.lines.count)
    }
    return Found(chip: chip.name, label: label, offset: offset)
  }
}
