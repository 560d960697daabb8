/// A setting within a list of tables, as the manual describes it.
public struct SettingField: Equatable, Sendable {
  public let name: String
  public let doc: String
  public let accepts: String
  /// Nil: the field is required in every table.
  public let builtIn: SettingValue?
}

/// Reads and shows a list of tables of one form. Every problem is reported with its table, counted
/// from 1, and its line.
struct SettingList<Element: SettingGroup>: Sendable {
  let name: String
  let required: Set<String>
  let max: Int

  var fields: [SettingField] {
    DeclaredSettings(in: Element()).settings.map {
      SettingField(
        name: $0.name, doc: $0.doc, accepts: $0.accepts,
        builtIn: required.contains($0.name) ? nil : $0.value)
    }
  }

  func show(_ elements: [Element]) -> SettingValue {
    .tables(
      elements.map { element in
        DeclaredSettings(in: element).settings.map {
          SettingValue.Member(name: $0.name, value: $0.value)
        }
      })
  }

  func read(_ value: WrittenValue) throws(SettingMismatch) -> [Element] {
    guard case .array(let tables) = value.content else {
      throw SettingMismatch(
        "is \(value.kind); expected a list of tables: write [[\(name)]] for each")
    }
    guard tables.count <= max else {
      throw SettingMismatch("has \(tables.count) tables; expected at most \(max)")
    }
    var faults: [SettingMismatch.Fault] = []
    var elements: [Element] = []
    for (index, table) in tables.enumerated() {
      elements.append(read(table, index, &faults))
    }
    guard faults.isEmpty else { throw SettingMismatch(faults) }
    return elements
  }

  private func read(
    _ value: WrittenValue, _ index: Int, _ faults: inout [SettingMismatch.Fault]
  ) -> Element {
    let path = "[\(index + 1)]"
    func fault(_ path: String, _ line: Int, _ reason: String) {
      faults.append(
        SettingMismatch.Fault(path: path, element: index, line: line, reason: reason))
    }
    var element = Element()
    let declared = DeclaredSettings(in: element).settings
    let names = declared.map(\.name)
    guard case .table(let table) = value.content else {
      fault(path, value.line, "is \(value.kind); expected a table: write [[\(name)]]")
      return element
    }
    for key in table.keys {
      guard let written = table[key] else { continue }
      guard names.contains(key) else {
        fault(path, written.line, unknown(key, names))
        continue
      }
      do throws(SettingMismatch) {
        try element.set(key, written)
      } catch {
        fault("\(path).\(key)", written.line, error.reason)
      }
    }
    for setting in declared where required.contains(setting.name) && table[setting.name] == nil {
      fault(
        path, value.line, "has no \(setting.name), which is required: \(setting.accepts)")
    }
    return element
  }

  private func unknown(_ key: String, _ names: [String]) -> String {
    let hint =
      NearestName.suggestion(for: key, among: names).map { "did you mean \($0)?" }
      ?? "expected \(names.joined(separator: ", "))"
    return "has no setting \(key); \(hint)"
  }
}
