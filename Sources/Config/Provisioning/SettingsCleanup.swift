import Core

/// Corrects unambiguous mistakes: a setting with its full name below another section's header,
/// which TOML reads as a part of that section, and a single table in place of a list of tables.
struct SettingsCleanup {
  private let sections: [SettingSection]
  private let settings: Set<String>
  /// The names allowed before the first header: the first parts of section names, and the boards.
  private let roots: Set<String>
  /// Settings found below the header of another section.
  private var moved: [(name: String, value: WrittenValue)] = []
  private(set) var table: WrittenTable
  private(set) var diagnostics: [Diagnostic] = []

  /// - Parameter lists: the names of lists before the first header: boards.
  init(_ table: WrittenTable, _ declared: DeclaredSettings, lists: Set<String>) {
    sections = declared.sections
    settings = Set(declared.settings.map(\.key))
    let firsts = declared.sections.compactMap { $0.name.split(separator: ".").first }
    roots = lists.union(firsts.map(String.init))
    self.table = table
    let tidy = tidied(table, path: "")
    self.table = tidy
    for (name, value) in moved {
      let rest = self.table.remove(name)
      merged(rest, value).map { self.table.append(name, $0) }
    }
  }

  private mutating func tidied(_ table: WrittenTable, path: String) -> WrittenTable {
    var tidy = WrittenTable()
    for name in table.keys {
      guard let value = table[name] else { continue }
      let key = path.isEmpty ? name : "\(path).\(name)"
      let isKnown = settings.contains(key) || sections.contains { $0.name == key }
      if !path.isEmpty, !isKnown, roots.contains(name), move(value, to: name, from: path) {
        continue
      }
      tidy.append(name, isKnown ? tidied(value, key) : value)
    }
    return tidy
  }

  private mutating func tidied(_ value: WrittenValue, _ key: String) -> WrittenValue {
    guard let section = sections.first(where: { $0.name == key }) else { return value }
    switch value.content {
    case .table(let inner):
      let tidy = WrittenValue(.table(tidied(inner, path: key)), line: value.line)
      return section.fields == nil ? tidy : WrittenValue(.array([tidy]), line: value.line)
    case .array(let elements) where section.fields != nil:
      let tidy = elements.map { element in
        guard case .table(let inner) = element.content else { return element }
        return WrittenValue(.table(tidied(inner, path: key)), line: element.line)
      }
      return WrittenValue(.array(tidy), line: value.line)
    default: return value
    }
  }

  /// False if something with that name exists already and would have to be merged.
  private mutating func move(_ value: WrittenValue, to name: String, from path: String) -> Bool {
    guard moved.allSatisfy({ $0.name != name }), merged(table[name], value) != nil else {
      return false
    }
    moved.append((name, value))
    diagnostics.append(
      Diagnostic(
        line: value.line,
        "is below the header of \(path), but was read as \(name) of the whole file; move it "
          + "above the first line in brackets"))
    return true
  }

  private func merged(_ old: WrittenValue?, _ new: WrittenValue) -> WrittenValue? {
    guard let old else { return new }
    guard case .table(var table) = old.content, case .table(let more) = new.content,
      more.keys.allSatisfy({ table[$0] == nil })
    else { return nil }
    for key in more.keys { more[key].map { table.append(key, $0) } }
    return WrittenValue(.table(table), line: old.line)
  }
}
