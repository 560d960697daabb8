import SettingDeclarations

/// The settings after all layers were merged, with the origin of every value. Later layers win:
/// built-in defaults, board files, settings file, command line.
public struct Configuration<Root: SettingGroup>: Equatable, Sendable {
  public private(set) var settings = Root()
  private var origins: [String: Origin] = [:]

  /// The built-in defaults.
  public init() {}

  /// - Parameters:
  ///   - boards: the board files; `BoardComposition` says what happens when they disagree.
  ///   - assignments: `section.key=value`, as given with `--set`.
  /// - Throws: everything that is wrong with all the layers, not only the first thing.
  public init(
    boards: [SettingsFile] = [], settings file: SettingsFile? = nil, assignments: [String] = []
  ) throws(SettingsError) {
    var problems: [SettingProblem] = []
    let declared = declared
    let boards = boards.map { SettingsLayer($0, role: .board, declared, &problems) }
    var stronger = file.map { [SettingsLayer($0, role: .settings, declared, &problems)] } ?? []
    stronger.append(SettingsLayer(options: assignments, declared, &problems))
    let own = stronger.flatMap(\.assignments)
    let composition = BoardComposition<Root>(
      boards, of: declared, decided: Set(own.map(\.key)))
    for assignment in composition.assignments(&problems) + own { set(assignment, &problems) }
    if problems.isEmpty { problems = conflicts }
    guard problems.isEmpty else { throw SettingsError(problems: problems) }
  }

  /// Every setting with its value.
  public var declared: DeclaredSettings { DeclaredSettings(in: settings) }

  /// - Parameter key: of a setting: "store.path".
  public func origin(of key: String) -> Origin { origins[key] ?? .builtIn }

  mutating func set(
    _ assignment: SettingsLayer.Assignment, _ problems: inout [SettingProblem]
  ) {
    do throws(SettingMismatch) {
      try settings.set(assignment.key, assignment.value)
      origins[assignment.key] = assignment.origin
    } catch {
      problems += error.faults.map {
        SettingProblem(
          source: assignment.origin.at(line: $0.line).description,
          message: "\(assignment.key)\($0.path) \($0.reason)")
      }
    }
  }

  private var conflicts: [SettingProblem] {
    let declared = declared
    return declared.conflicts.compactMap { conflict in
      guard let setting = declared[conflict.key] else { return nil }
      let isBuiltIn = origins[conflict.key] == nil
      let decided = isBuiltIn ? conflict.because : nil
      return SettingProblem(
        source: origin(of: decided ?? conflict.key).description,
        message: "\(conflict.key) = \(setting.value.toml) \(conflict.message)")
    }
  }
}
