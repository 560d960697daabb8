/// The settings of parts that are selected by a list, such as policies. Each part's struct is found
/// by its type, so that a new part changes nothing here.
public struct SettingCollection: Equatable, Sendable {
  private var groups: [ObjectIdentifier: any SettingGroup] = [:]

  /// Every part with its defaults.
  public init() {}

  public subscript<Group: SettingGroup>(_ type: Group.Type) -> Group {
    get { groups[ObjectIdentifier(type)] as? Group ?? Group() }
    // Defaults are not stored, so that they are equal to values that were never set.
    set { groups[ObjectIdentifier(type)] = newValue == Group() ? nil : newValue }
  }

  /// Declares the settings of these parts.
  public mutating func declare(_ parts: [any SettingGroup.Type], _ setting: SettingVisitor) {
    for part in parts { declare(part: part, setting) }
  }

  private mutating func declare<Group: SettingGroup>(
    part: Group.Type, _ setting: SettingVisitor
  ) {
    self[part].declare(setting)
  }

  public static func == (a: SettingCollection, b: SettingCollection) -> Bool {
    a.groups.keys == b.groups.keys
      && a.groups.allSatisfy { type, group in group.equals(b.groups[type]) }
  }
}

extension SettingGroup {
  fileprivate func equals(_ other: (any SettingGroup)?) -> Bool { other as? Self == self }
}
