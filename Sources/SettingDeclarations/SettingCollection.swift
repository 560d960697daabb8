/// The settings of parts that a list names, such as policies: each part's own struct, found by the
/// section that declares it. Adding a part changes nothing here.
public struct SettingCollection: Equatable, Sendable {
  private var groups: [String: any SettingGroup] = [:]

  /// Every part with its defaults.
  public init() {}

  public subscript<Group: SettingGroup>(_ section: SettingSection<Group>) -> Group {
    get { self[section.name] }
    set { self[section.name] = newValue }
  }

  fileprivate subscript<Group: SettingGroup>(_ name: String) -> Group {
    get { groups[name] as? Group ?? Group() }
    // Defaults are not stored, so that they equal what was never set.
    set { groups[name] = newValue == Group() ? nil : newValue }
  }

  public static func == (a: SettingCollection, b: SettingCollection) -> Bool {
    a.groups.keys == b.groups.keys
      && a.groups.allSatisfy { name, group in group.equals(b.groups[name]) }
  }
}

extension SettingGroup {
  fileprivate func equals(_ other: (any SettingGroup)?) -> Bool { other as? Self == self }
}

extension SettingSection where Root: SettingGroup {
  /// This section of a collection.
  public var collected: SettingSection<SettingCollection> { within(\.[name]) }
}
