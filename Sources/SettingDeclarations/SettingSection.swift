/// A table of the settings file, or a list of tables of one form.
public struct SettingSection<Root: Sendable>: Sendable {
  public typealias Conflicts = @Sendable (Root) -> [SettingConflict]

  public let name: String
  public let doc: String
  /// The settings of the table. A list of tables is one setting, with the section's name as its
  /// key.
  public let settings: [Setting<Root>]
  /// What each table of a list holds; nil for a single table.
  public let fields: [SettingField]?
  /// Values of this section that contradict each other.
  public let conflicts: Conflicts

  /// A single table: `[name]`.
  ///
  /// - Parameters:
  ///   - ascending: pairs of settings, the first of which must not exceed the second.
  ///   - conflicts: other contradictions, under names without the section's.
  public init(
    _ name: String, _ doc: String, _ settings: [Setting<Root>],
    ascending: [(smaller: String, larger: String)] = [],
    conflicts: @escaping Conflicts = { _ in [] }
  ) {
    let settings = settings.map {
      var setting = $0
      setting.key = "\(name).\(setting.name)"
      return setting
    }
    let pairs = ascending.map { pair in
      let both = [pair.smaller, pair.larger].compactMap { name in
        settings.first { $0.name == name }
      }
      precondition(both.count == 2, "\(name) has no \(pair.smaller) or no \(pair.larger)")
      return (smaller: both[0], larger: both[1])
    }
    self.name = name
    self.doc = doc
    self.settings = settings
    fields = nil
    self.conflicts = { root in
      (conflicts(root) + pairs.compactMap { Self.descent($0.smaller, $0.larger, in: root) }).map {
        SettingConflict(
          "\(name).\($0.key)", because: $0.because.map { "\(name).\($0)" }, $0.message)
      }
    }
  }

  /// A list of tables: `[[name]]` once for each. A later layer's list replaces an earlier one's as
  /// a whole, as does `--set 'name=[{ ... }, { ... }]'`.
  ///
  /// No section of this version is such a list; it is for what can occur any number of times:
  /// fences, uplinks.
  ///
  /// - Parameters:
  ///   - most: bounds how much a hostile file can make us hold.
  ///   - required: names without which a table is refused; the others have their defaults.
  public init<Element: SettingGroup>(
    listOf settings: [Setting<Element>], _ name: String, _ doc: String,
    _ property: Setting<Root>.Property<[Element]>, atMost most: Int, required: Set<String> = []
  ) {
    let list = SettingList(
      name: name, settings: settings, required: required, most: most)
    var whole = Setting<Root>(
      name, accepts: "up to \(most) tables", doc: doc,
      read: { value, root throws(SettingMismatch) in root[keyPath: property] = try list.read(value)
      },
      show: { list.show($0[keyPath: property]) })
    whole.key = name
    self.name = name
    self.doc = doc
    self.settings = [whole]
    fields = list.fields
    conflicts = { _ in [] }
  }

  private init(
    _ name: String, _ doc: String, lifted settings: [Setting<Root>], _ fields: [SettingField]?,
    _ conflicts: @escaping Conflicts
  ) {
    self.name = name
    self.doc = doc
    self.settings = settings
    self.fields = fields
    self.conflicts = conflicts
  }

  /// The same section of a larger struct.
  public func within<Whole>(_ part: Setting<Whole>.Property<Root>) -> SettingSection<Whole> {
    let conflicts = conflicts
    return SettingSection<Whole>(
      name, doc, lifted: settings.within(part), fields, { conflicts($0[keyPath: part]) })
  }

  private static func descent(
    _ smaller: Setting<Root>, _ larger: Setting<Root>, in root: Root
  ) -> SettingConflict? {
    guard case .number(let low) = smaller.value(in: root),
      case .number(let high) = larger.value(in: root), low > high
    else { return nil }
    return SettingConflict(
      smaller.name, because: larger.name,
      "must not exceed \(larger.key) = \(SettingValue.number(high).toml)")
  }
}
