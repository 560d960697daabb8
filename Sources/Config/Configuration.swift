import SettingDeclarations

/// The settings after all layers were merged, with the origin of every value. Later layers win:
/// built-in defaults, board files, settings file, command line.
public struct Configuration<Root: SettingsRoot>: Equatable, Sendable {
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
    let boards = boards.map { SettingsLayer<Root>($0, role: .board, &problems) }
    var stronger = file.map { [SettingsLayer<Root>($0, role: .settings, &problems)] } ?? []
    stronger.append(SettingsLayer(options: assignments, &problems))
    let own = stronger.flatMap(\.assignments)
    let composition = BoardComposition(boards, decided: Set(own.map(\.setting.key)))
    for assignment in composition.assignments(&problems) + own { set(assignment, &problems) }
    if problems.isEmpty { problems = conflicts }
    guard problems.isEmpty else { throw SettingsError(problems: problems) }
  }

  public func origin(of setting: Setting<Root>) -> Origin { origins[setting.key] ?? .builtIn }

  mutating func set(
    _ assignment: SettingsLayer<Root>.Assignment, _ problems: inout [SettingProblem]
  ) {
    let setting = assignment.setting
    do throws(SettingMismatch) {
      try setting.read(assignment.value, &settings)
      origins[setting.key] = assignment.origin
    } catch {
      problems += error.faults.map {
        SettingProblem(
          source: assignment.origin.at(line: $0.line).description,
          message: "\(setting.key)\($0.path) \($0.reason)")
      }
    }
  }

  private var conflicts: [SettingProblem] {
    Root.schema.conflicts(in: settings).compactMap { conflict in
      guard let setting = Root.schema[conflict.key] else { return nil }
      let isBuiltIn = origins[conflict.key] == nil
      let decided = conflict.because.flatMap { isBuiltIn ? Root.schema[$0] : nil }
      return SettingProblem(
        source: origin(of: decided ?? setting).description,
        message: "\(conflict.key) = \(setting.value(in: settings).toml) \(conflict.message)")
    }
  }
}
