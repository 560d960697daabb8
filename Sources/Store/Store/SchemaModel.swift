import Ports

/// The expected schema of a file.
struct SchemaModel: Sendable {
  let entries: [SchemaEntry]
  /// The entries by their rows: they need not be parsed again for another file with the same rows.
  let known: [SchemaRow: SchemaEntry]
  /// The columns of each table.
  let columns: [String: Set<String>]

  init(_ connection: Connection) throws(PortError) {
    let rows = try connection.schemaRows()
    let entries = rows.map(\.entry)
    var columns: [String: Set<String>] = [:]
    for entry in entries where entry.kind == .table {
      columns[entry.name] = try connection.columns(of: entry.name)
    }
    self.entries = entries
    known = Dictionary(zip(rows, entries)) { first, _ in first }
    self.columns = columns
  }

  /// The schema after so many of the store's steps.
  static func after(_ applied: Int) throws(PortError) -> SchemaModel {
    if applied == Migration.all.count, let newest { return newest }
    return try made(by: applied)
  }

  /// Made once, because a process may open many files. Nil: out of memory.
  private static let newest = try? made(by: Migration.all.count)

  private static func made(by applied: Int) throws(PortError) -> SchemaModel {
    let connection = try Connection(path: ":memory:", access: .draft)
    defer { connection.close() }
    if applied > 0 { _ = try Migration.apply(Array(Migration.all.prefix(applied)), to: connection) }
    return try SchemaModel(connection)
  }
}
