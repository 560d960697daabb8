/// One entry of a file's schema (sqlite.org/schematab.html), by what its SQL creates, which is what
/// counts. The other columns may contain anything.
public struct SchemaEntry: Sendable {
  public enum Kind: String, Sendable {
    case table
    case virtualTable = "virtual table"
    case view, index, trigger
    /// An index of a constraint: it has no SQL of its own.
    case automaticIndex = "automatic index"
    case unknown
  }

  public let kind: Kind
  /// In lower case, as it is compared.
  public let name: String
  /// In lower case: the table of an index or a trigger; else the object itself.
  public let table: String
  /// As in the file; empty if it has none.
  let sql: String
  /// Whether its columns agree with its SQL.
  public let isConsistent: Bool

  public init(type: String?, name: String?, table: String?, sql: String?) {
    let entry = (name: SQLToken.folded(name ?? ""), table: SQLToken.folded(table ?? ""))
    self.sql = sql ?? ""
    guard let sql else {
      self.name = entry.name
      self.table = entry.table
      kind = type == "index" ? .automaticIndex : .unknown
      isConsistent = kind == .automaticIndex
      return
    }
    guard let made = Made(SQLToken.heading(of: sql)) else {
      kind = .unknown
      self.name = entry.name
      self.table = entry.table
      isConsistent = false
      return
    }
    kind = made.kind
    self.name = made.name
    self.table = made.table
    let said = made.kind == .virtualTable ? Kind.table.rawValue : made.kind.rawValue
    isConsistent = type == said && made.name == entry.name && made.table == entry.table
  }

  /// The tokens of the SQL.
  var tokens: [SQLToken] { SQLToken.all(in: sql) }

  /// Whether the SQL is the same, apart from spaces and from the case of unquoted letters.
  public func isSame(as other: SchemaEntry) -> Bool {
    kind == other.kind && name == other.name && (sql == other.sql || tokens == other.tokens)
  }

  /// What the statement creates.
  private struct Made {
    let kind: Kind
    let name: String
    let table: String

    init?(_ tokens: [SQLToken]) {
      var rest = tokens[...]
      func skip(_ word: String) -> Bool {
        guard rest.first?.is(word) == true else { return false }
        rest.removeFirst()
        return true
      }
      func identifier() -> String? {
        guard let token = rest.popFirst(), token.kind != .sign, token.kind != .number,
          rest.first?.is(".") != true
        else { return nil }
        return SQLToken.folded(token.text)
      }
      guard skip("create") else { return nil }
      _ = skip("unique")
      let isVirtual = skip("virtual")
      guard let word = rest.popFirst(), word.kind == .word, let kind = Kind(rawValue: word.text),
        !(skip("if") && !(skip("not") && skip("exists"))), let name = identifier()
      else { return nil }
      var table = name
      switch kind {
      case .table, .view: break
      case .index:
        guard skip("on"), let own = identifier() else { return nil }
        table = own
      case .trigger:
        while let token = rest.popFirst(), !token.is("on") {}
        guard let own = identifier() else { return nil }
        table = own
      default: return nil
      }
      self.kind = isVirtual ? .virtualTable : kind
      self.name = name
      self.table = table
    }
  }
}
