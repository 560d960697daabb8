import Core

/// The merged settings of all layers, with the origin of every value. Later layers override earlier
/// ones: built-in defaults, board files, settings file, command line.
public struct Configuration<Root: SettingGroup>: Equatable, Sendable {
  public private(set) var settings = Root()
  /// The names of the board files.
  public private(set) var boards: [String] = []
  private var origins: [String: Origin] = [:]

  /// The built-in defaults.
  init() {}

  /// - Parameters:
  ///   - boards: the board files; `BoardComposition` resolves their differences.
  ///   - assignments: `section.key=value`, as given with `--set`.
  ///   - faults: problems found before, such as missing boards. Settings that those boards would
  ///     have set are not reported as missing.
  /// - Throws: all problems of all layers, not only the first one.
  public init(
    boards: [SettingsFile] = [], settings file: SettingsFile? = nil, assignments: [String] = [],
    faults: [SettingProblem] = []
  ) throws(SettingsError) {
    var problems = faults
    let declared = declared
    // Their order has no effect.
    self.boards = boards.map(\.name).sorted()
    let boards = boards.map { SettingsLayer($0, role: .board, declared, &problems) }
    var stronger = file.map { [SettingsLayer($0, role: .settings, declared, &problems)] } ?? []
    stronger.append(SettingsLayer(options: assignments, declared, &problems))
    let own = stronger.flatMap(\.assignments)
    let isWhole = (boards + stronger).allSatisfy(\.isWhole)
    let composition = BoardComposition<Root>(
      boards, of: declared, decided: isWhole ? Set(own.map(\.key)) : nil)
    for assignment in composition.assignments(&problems) + own { set(assignment, &problems) }
    if problems.isEmpty { problems = conflicts }
    guard problems.isEmpty else { throw SettingsError(problems: problems) }
  }

  /// Every setting with its value.
  public var declared: DeclaredSettings { DeclaredSettings(in: settings) }

  /// - Parameter key: the key of a setting: "store.path".
  public func origin(of key: String) -> Origin { origins[key] ?? .builtIn }

  mutating func set(
    _ assignment: SettingsLayer.Assignment, _ problems: inout [SettingProblem]
  ) {
    do throws(SettingMismatch) {
      try settings.set(assignment.key, assignment.value)
      origins[assignment.key] = assignment.origin
    } catch {
      problems += assignment.problems(error)
    }
  }

  /// A copy in which some settings have the values of another configuration, with their origins.
  public func keeping(_ keys: Set<String>, of other: Self) -> Self {
    var kept = self
    kept.settings = settings.keeping(keys, of: other.settings)
    for key in keys { kept.origins[key] = other.origins[key] }
    return kept
  }

  /// Values that are valid alone but not in combination; a configuration from files has none.
  public var conflicts: [SettingProblem] {
    let declared = declared
    return declared.conflicts.compactMap { conflict in
      guard let setting = declared[conflict.key] else { return nil }
      let isBuiltIn = origins[conflict.key] == nil
      let decided = isBuiltIn ? conflict.because : nil
      return SettingProblem(
        at: origin(of: decided ?? conflict.key),
        "\(conflict.key) = \(setting.displayText(setting.value)) \(conflict.message)")
    }
  }
}

/// Combines board files. Their order has no effect: a setting must have the same value in all of
/// them, unless one of them declares that its value replaces the others, or a later layer sets it.
struct BoardComposition<Root: SettingGroup> {
  private struct Claim {
    let assignment: SettingsLayer.Assignment
    let value: SettingValue
    let replaces: Bool
  }

  private let boards: [SettingsLayer]
  private let declared: DeclaredSettings
  private let decided: Set<String>?

  /// - Parameter decided: keys that the settings file or an option sets; nil: unknown, because a
  ///   file could not be read completely.
  init(_ boards: [SettingsLayer], of declared: DeclaredSettings, decided: Set<String>?) {
    self.boards = boards
    self.declared = declared
    self.decided = decided
  }

  /// One assignment for every setting that a board sets.
  func assignments(_ problems: inout [SettingProblem]) -> [SettingsLayer.Assignment] {
    var composed: [SettingsLayer.Assignment] = []
    for setting in declared.settings {
      var claims = claims(on: setting.key, &problems)
      if claims.contains(where: \.replaces) { claims.removeAll { !$0.replaces } }
      guard let first = claims.first else { continue }
      composed.append(first.assignment)
      guard let decided, !decided.contains(setting.key),
        let other = claims.first(where: { $0.value != first.value })
      else { continue }
      problems.append(Self.contradiction(setting, first, other))
    }
    return composed
  }

  /// The values of the boards for one setting. Invalid values are reported as problems and left
  /// out.
  private func claims(
    on key: String, _ problems: inout [SettingProblem]
  ) -> [Claim] {
    var claims: [Claim] = []
    for board in boards {
      for assignment in board.assignments where assignment.key == key {
        var scratch = Configuration<Root>()
        scratch.set(assignment, &problems)
        guard scratch.origin(of: key) == assignment.origin,
          let value = scratch.settings.value(of: key)
        else { continue }
        claims.append(
          Claim(
            assignment: assignment, value: value, replaces: board.replaced.contains(key)))
      }
    }
    return claims
  }

  private static func contradiction(
    _ setting: Setting, _ first: Claim, _ other: Claim
  ) -> SettingProblem {
    let key = setting.key
    return SettingProblem(
      source: other.assignment.origin.description,
      message: "\(key) = \(setting.displayText(other.value)), but \(first.assignment.origin) has "
        + "\(setting.displayText(first.value)): the boards contradict each other; leave one "
        + "out, or set \(key) in the settings file")
  }
}
