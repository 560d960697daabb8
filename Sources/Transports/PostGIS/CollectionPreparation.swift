import Delivery
import Ports
import Records

/// Prepares a database for a collection: its tables exist, made by this version or an earlier one,
/// and its schema precedes all others in the search path.
struct CollectionPreparation {
  private let name: String
  private let connection: DatabaseConnection

  init(_ name: String, _ connection: DatabaseConnection) {
    self.name = name
    self.connection = connection
  }

  func run() throws(PortError) {
    if let encoding = connection.parameter("server_encoding"), encoding != "UTF8" {
      throw .failed(
        "\(name) stores text as \(encoding), which lacks most characters: create one with "
          + "createdb --encoding UTF8 --template template0")
    }
    try findPostGIS()
    let problem: PortError?
    do throws(DatabaseFailure) {
      // Two collectors that start at the same time make the tables once.
      problem = try connection.transaction { () throws(DatabaseFailure) in
        try connection.run("SELECT pg_advisory_xact_lock($1::bigint)", [String(Self.lock)])
        return try makeTables()
      }
    } catch {
      throw error.storeError("make or extend the tables of a collection in", name)
    }
    if let problem { throw problem }
  }

  /// "godwit" in ASCII.
  private static let lock: Int64 = 0x676F_6477_6974

  /// Its types and functions may be in any schema.
  private func findPostGIS() throws(PortError) {
    let rows: [DatabaseConnection.Row]
    do throws(DatabaseFailure) {
      rows = try connection.run(
        """
        SELECT set_config('search_path',
          $1::text || ', ' || quote_ident(nspname) || ', pg_temp', false)
        FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
        WHERE extname = 'postgis'
        """, [CollectionTables.schema])
    } catch {
      throw error.storeError("read", name)
    }
    guard !rows.isEmpty else {
      throw .failed(
        "\(name) has no PostGIS: as an administrator run CREATE EXTENSION postgis there (Debian: "
          + "the package postgresql-postgis)")
    }
  }

  /// - Returns: why they are not a collection that this version can continue.
  private func makeTables() throws(DatabaseFailure) -> PortError? {
    let schema = CollectionTables.schema
    let isThere = try connection.run(
      "SELECT 1 FROM pg_namespace WHERE nspname = $1::text", [schema])
    if isThere.isEmpty { try connection.execute("CREATE SCHEMA \(schema)") }
    let tables = try connection.run(
      """
      SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = $1::text AND relkind IN ('r', 'p', 'v', 'm', 'f')
      """, [schema]
    ).compactMap { $0[0] }
    guard !tables.isEmpty else {
      try connection.execute(CollectionTables.migrations)
      for sql in CollectionTables.creation { try connection.execute(sql) }
      for (index, step) in CollectionTables.steps.enumerated() {
        try connection.run(
          "INSERT INTO migrations (id, name) VALUES ($1::bigint, $2::text)",
          [String(index + 1), step])
      }
      return nil
    }
    let steps =
      tables.contains("migrations")
      ? try connection.run("SELECT name FROM \(schema).migrations ORDER BY id")
        .compactMap { $0[0] } : []
    guard let first = steps.first, CollectionTables.steps.contains(first) else {
      return .failed(
        "the schema \(schema) of \(name) is not a collection of Godwit; nothing was changed: name "
          + "another database")
    }
    guard steps != CollectionTables.steps else { return try addColumns() }
    let unknown = steps.first { !CollectionTables.steps.contains($0) }
    return .newer(
      "\(name) was written by a newer godwit (it has \"\(unknown ?? "")\"); nothing was changed: "
        + "install that version or name another database")
  }

  /// Adds the columns that the layers of an older version lack. No step is recorded for them, so
  /// that collectors of the older version can continue it, too.
  ///
  /// Only what is missing is asked for: even where it changes nothing, the statement waits for all
  /// who read the table, and only the table's owner may run it.
  ///
  /// - Returns: the column that is missing although every version has it; nothing was changed then.
  private func addColumns() throws(DatabaseFailure) -> PortError? {
    let rows = try connection.run(
      """
      SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = $1::text AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
      """, [CollectionTables.schema])
    var columns: [String: Set<String>] = [:]
    for row in rows {
      if let table = row[0], let column = row[1] { columns[table, default: []].insert(column) }
    }
    var additions: [String] = []
    for layer in CollectionEntry.layers {
      guard let present = columns[layer.name] else { continue }
      let lacking = layer.columns.filter { !present.contains($0.name) }
      let later = layer.laterColumns
      if let column = lacking.first(where: { !later.contains($0) }) {
        return .failed(
          "the table \(CollectionTables.schema).\(layer.name) of \(name) has no column "
            + "\(column.name), without which its rows can be neither read nor written; nothing was "
            + "changed: restore it from a backup or name another database")
      }
      additions += lacking.map { CollectionTables.addition(of: $0, to: layer) }
    }
    for sql in additions { try connection.execute(sql) }
    return nil
  }
}
