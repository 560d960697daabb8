import Core

/// A section whose header occurs twice; TOML allows it once.
struct Repetition {
  private let name: String
  private let isList: Bool
  private let line: Int

  /// - Parameter isList: whether tables of that name are the elements of a list.
  init(of name: String, isList: Bool, line: Int) {
    self.name = name
    self.isList = isList
    self.line = line
  }

  /// Adds the keys that the table lacks; to a list, adds another element.
  func add(_ more: WrittenTable, to table: WrittenTable, at path: ArraySlice<String>)
    -> WrittenTable
  {
    guard let key = path.first else {
      var merged = table
      for key in more.keys where merged[key] == nil {
        if let value = more[key] { merged.append(key, value) }
      }
      return merged
    }
    var table = table
    let old = table.remove(key)
    switch old?.content {
    case .array(let elements) where path.count == 1:
      table.append(key, list(elements, more, since: old))
    case .table where path.count == 1 && isList:
      table.append(key, list([old].compactMap { $0 }, more, since: old))
    case .table(let inner):
      let merged = add(more, to: inner, at: path.dropFirst())
      table.append(key, WrittenValue(.table(merged), line: old?.line ?? line))
    case nil:
      let merged = add(more, to: WrittenTable(), at: path.dropFirst())
      table.append(key, WrittenValue(.table(merged), line: line))
    default:
      if let old { table.append(key, old) }
    }
    return table
  }

  private func list(
    _ elements: [WrittenValue], _ more: WrittenTable, since old: WrittenValue?
  ) -> WrittenValue {
    let element = WrittenValue(.table(more), line: line)
    return WrittenValue(.array(elements + [element]), line: old?.line ?? line)
  }

  func complaints(_ more: WrittenTable, in old: WrittenValue?) -> [Diagnostic] {
    if isList {
      return [
        Diagnostic(
          line: line, "was read as another element of a list: write [[\(name)]] before each")
      ]
    }
    var complaints = [
      Diagnostic(
        line: line,
        "[\(name)] exists already (line \(old?.line ?? line)); write its header once, with all "
          + "its settings below")
    ]
    guard case .table(let table)? = old?.content else { return complaints }
    for key in more.keys {
      guard let first = table[key], let second = more[key] else { continue }
      complaints.append(
        Diagnostic(
          line: second.line,
          "\(name).\(key) is set already on line \(first.line), which is used; delete one of them"))
    }
    return complaints
  }
}
