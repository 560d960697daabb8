/// A row of `sqlite_schema`, as it is.
struct SchemaRow: Hashable, Sendable {
  let type: String?
  let name: String?
  let table: String?
  let sql: String?

  /// What it says.
  var entry: SchemaEntry { SchemaEntry(type: type, name: name, table: table, sql: sql) }
}
