import SettingDeclarations

/// All settings of a program: a struct of everything, and the sections that set it.
public protocol SettingsRoot: Equatable, Sendable {
  /// The built-in defaults.
  init()
  static var schema: SettingsSchema<Self> { get }
}

/// What a settings file may contain. The default file, `config show`, the manual and every check
/// are generated from this alone.
public struct SettingsSchema<Root: Sendable>: Sendable {
  /// In the order in which they are shown.
  public let sections: [SettingSection<Root>]
  /// Of all sections.
  public let settings: [Setting<Root>]
  private let byKey: [String: Setting<Root>]
  private let across: SettingSection<Root>.Conflicts

  /// - Parameter conflicts: those between sections, by full key; a section declares its own.
  public init(
    _ sections: [SettingSection<Root>],
    conflicts: @escaping SettingSection<Root>.Conflicts = { _ in [] }
  ) {
    self.sections = sections
    settings = sections.flatMap(\.settings)
    byKey = Dictionary(uniqueKeysWithValues: settings.map { ($0.key, $0) })
    across = conflicts
  }

  /// The setting of that key, such as "store.path"; nil when there is none.
  public subscript(key: String) -> Setting<Root>? { byKey[key] }

  /// Values that are fine alone but not together.
  func conflicts(in root: Root) -> [SettingConflict] {
    across(root) + sections.flatMap { $0.conflicts(root) }
  }
}
