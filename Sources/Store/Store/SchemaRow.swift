/// A row of `sqlite_schema`.
struct SchemaRow: Hashable, Sendable {
  let type: String?
  let name: String?
  let table: String?
  let sql: String?

  /// The parsed entry.
  var entry: SchemaEntry { SchemaEntry(type: type, name: name, table: table, sql: sql) }
}
