/// Visits the declarations of a struct: shows or reads one setting, describes all of them, or
/// transfers values to another struct.
public final class SettingVisitor {
  enum Purpose {
    case describe
    case show
    case read(WrittenValue)
    case collect(ValueTransfer)
    case restore(ValueTransfer)
  }

  private let purpose: Purpose
  private let key: String
  /// The setting to show or read, without the current section; nil if it is in another section.
  private var wanted: String?
  /// "" before the first section, and in a table of a list, whose settings have no section.
  private var prefix = ""
  /// When changes of the current section's settings take effect.
  private var moment = SettingActivation.atStart
  private(set) var sections: [SettingSection] = []
  /// The settings of all sections, and those outside a section.
  private(set) var settings: [Setting] = []
  private(set) var conflicts: [SettingConflict] = []
  private(set) var shown: SettingValue?
  private(set) var mismatch: SettingMismatch?

  /// - Parameter key: the setting to show or read.
  init(_ purpose: Purpose, _ key: String) {
    self.purpose = purpose
    self.key = key
    wanted = key
  }

  /// Begins a table, `[name]`, of the settings that follow.
  ///
  /// - Parameter counts: when a change of these settings takes effect.
  public func section(
    _ name: String, counts: SettingActivation = .atStart, _ doc: @autoclosure () -> String
  ) {
    prefix = "\(name)."
    moment = counts
    if case .describe = purpose {
      sections.append(SettingSection(name: name, doc: doc(), activation: counts))
    } else {
      wanted = key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
    }
  }

  /// Declares a setting of the current section.
  ///
  /// - Parameters:
  ///   - counts: nil: as declared for its section.
  ///   - isSecret: whether its value is kept out of stores, reports and messages.
  public func callAsFunction<Value>(
    _ name: String, _ value: inout Value, _ kind: @autoclosure () -> SettingKind<Value>,
    _ doc: @autoclosure () -> String, counts: SettingActivation? = nil, isSecret: Bool = false
  ) {
    switch purpose {
    case .describe:
      let (kind, unit) = (kind(), SettingUnit(ofName: name))
      precondition(kind.fits(unit), "\(name) ends in the wrong unit for \(Value.self)")
      precondition(sections.last?.fields == nil, "\(name) comes after a list, without a section")
      add(
        Setting(
          name: name, key: prefix + name, doc: doc(), accepts: kind.accepts(unit),
          value: kind.show(value, unit), activation: counts ?? moment, isSecret: isSecret))
    case .show:
      guard name == wanted else { return }
      shown = kind().show(value, SettingUnit(ofName: name))
    case .read(let written):
      guard name == wanted else { return }
      do throws(SettingMismatch) {
        value = try kind().read(written, SettingUnit(ofName: name))
      } catch {
        mismatch = error
      }
    case .collect(let kept): kept.collect(prefix + name, value)
    case .restore(let kept): kept.restore(prefix + name, &value)
    }
  }

  /// Declares a list of tables: `[[name]]` once for each. The list of a later layer replaces that
  /// of an earlier one as a whole, as does `--set 'name=[{ ... }, { ... }]'`.
  ///
  /// - Parameters:
  ///   - max: bounds the memory that a hostile file can occupy.
  ///   - required: fields without which a table is rejected; the others have defaults.
  public func list<Element: SettingGroup>(
    _ name: String, counts: SettingActivation = .atStart, _ doc: String,
    _ elements: inout [Element], atMost max: Int, required: Set<String> = []
  ) {
    let list = SettingList<Element>(name: name, required: required, max: max)
    switch purpose {
    case .describe:
      sections.append(
        SettingSection(name: name, doc: doc, activation: counts, fields: list.fields))
      add(
        Setting(
          name: name, key: name, doc: doc, accepts: "up to \(max) tables",
          value: list.show(elements), activation: counts, isSecret: false))
    case .show:
      if name == key { shown = list.show(elements) }
    case .read(let written):
      guard name == key else { return }
      do throws(SettingMismatch) { elements = try list.read(written) } catch { mismatch = error }
    case .collect(let kept): kept.collect(name, elements)
    case .restore(let kept): kept.restore(name, &elements)
    }
  }

  /// Two settings of the current section; the first must not exceed the second.
  public func ascending(_ smaller: String, _ larger: String) {
    guard case .describe = purpose else { return }
    let both = [smaller, larger].compactMap { name in
      sections.last?.settings.first { $0.name == name }
    }
    precondition(both.count == 2, "\(prefix) has no \(smaller) or no \(larger)")
    guard case .number(let low) = both[0].value, case .number(let high) = both[1].value, low > high
    else { return }
    conflicts.append(
      SettingConflict(
        both[0].key, because: both[1].key,
        "must not exceed \(both[1].key) = \(SettingValue.number(high).toml)"))
  }

  /// Values of the current section that contradict each other, under names without the section.
  /// Before the first section: conflicts between sections, under full keys.
  public func conflicts(_ found: @autoclosure () -> [SettingConflict]) {
    guard case .describe = purpose else { return }
    conflicts += found().map {
      SettingConflict(prefix + $0.key, because: $0.because.map { prefix + $0 }, $0.message)
    }
  }

  private func add(_ setting: Setting) {
    settings.append(setting)
    if let last = sections.indices.last { sections[last].settings.append(setting) }
  }
}
