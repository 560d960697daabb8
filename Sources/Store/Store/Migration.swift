import Ports
import Records

/// One named step that migrates the file from one version of the schema to the next.
struct Migration: Sendable {
  let name: String
  /// Built on request, because a daemon that runs for months does not keep it.
  var sql: String { text() }

  private let text: @Sendable () -> String

  private init(name: String, _ text: @escaping @Sendable () -> String) {
    self.name = name
    self.text = text
  }

  /// All of them in order. A released step is never changed: a new one follows it.
  static let all: [Migration] =
    [
      Migration(name: "geopackage-1") { GeoPackageSchema.sql }
    ]
    + Record.schema.map { step in
      Migration(name: step.name) { RecordSchema.sql(step) + additionalSQL(step) }
    }

  /// What a step adds besides the tables of its records.
  private static func additionalSQL(_ step: SchemaStep) -> String {
    switch step.name {
    case Record.places: "\n" + PlaceSchema.sql
    case Record.alerts: "\n" + PlaceSchema.followingIndexes
    case Record.followers: "\n" + PlaceEditSchema.sql
    case Record.changes: ChangeSchema.sql
    case Record.beacons: PlaceEditSchema.beacons
    case Record.contents: "\n" + ContentSchema.indexes
    case Record.messages: "\n" + MessageTable.indexes
    default: ""
    }
  }

  /// The first step that the store of an older program lacks; nil for a new file, and if there is
  /// nothing to do.
  static func due(
    _ migrations: [Migration] = all, in connection: Connection
  ) throws(PortError) -> Migration? {
    let applied = try appliedCount(migrations, in: connection)
    return applied > 0 && applied < migrations.count ? migrations[applied] : nil
  }

  /// Migrates a new or older file in one transaction.
  ///
  /// - Throws: `newer` if the file has steps that this program does not know, `failed` if it is a
  ///   SQLite file of another program. The file is not changed then.
  /// - Returns: whether there was anything to do.
  static func apply(
    _ migrations: [Migration] = all, to connection: Connection
  ) throws(PortError) -> Bool {
    let applied = try appliedCount(migrations, in: connection)
    guard applied < migrations.count else { return false }
    try connection.transaction { () throws(PortError) in
      for (index, migration) in migrations.enumerated().dropFirst(applied) {
        try connection.execute(migration.sql, doing: "bring up to date")
        let statement = try connection.prepareOnce(
          "INSERT INTO migrations (id, name) VALUES (?1, ?2)", doing: "bring up to date")
        statement.bind(1, Int64(index + 1))
        statement.bind(2, migration.name)
        try statement.run()
      }
    }
    return true
  }

  /// How many of the steps the file has had: 0 for an empty file.
  static func appliedCount(
    _ migrations: [Migration], in connection: Connection
  ) throws(PortError) -> Int {
    // It is read before the rest is compared.
    let own = try entry(in: connection)
    if let objection = objection(to: own) { throw objection.refusal(connection.name) }
    guard try connection.integer("SELECT 1 FROM sqlite_schema") != nil else { return 0 }
    guard own != nil,
      try connection.integer("PRAGMA application_id") == GeoPackageSchema.applicationId
    else { throw foreign(connection.name) }

    let statement = try connection.prepareOnce("SELECT name FROM migrations ORDER BY id")
    var count = 0
    while try statement.step() {
      let name = statement.text(0) ?? ""
      guard count < migrations.count else { throw newer(connection.name, step: name) }
      guard migrations[count].name == name else { throw foreign(connection.name) }
      count += 1
    }
    return count
  }

  /// Whether another object has the name of the table of steps.
  static func objection(in connection: Connection) throws(PortError) -> SchemaViolation? {
    objection(to: try entry(in: connection))
  }

  private static func objection(to own: SchemaEntry?) -> SchemaViolation? {
    guard let own, own.kind != .table || !own.isConsistent else { return nil }
    return .replaced("migrations", by: own)
  }

  /// Whether a database was never a store, by its steps: the application id is the same for all
  /// GeoPackages.
  static func isForeign(_ connection: Connection) throws(PortError) -> Bool {
    guard try connection.integer("SELECT 1 FROM sqlite_schema") != nil else { return false }
    guard let own = try entry(in: connection) else { return true }
    guard objection(to: own) == nil else { return false }
    // The table of another program may lack this column.
    guard let steps = try? connection.prepareOnce("SELECT name FROM migrations ORDER BY id"),
      try steps.step()
    else { return true }
    return steps.text(0) != all.first?.name
  }

  private static func entry(in connection: Connection) throws(PortError) -> SchemaEntry? {
    try connection.schemaRows("WHERE name LIKE '%migrations%' OR sql LIKE '%migrations%'")
      .lazy.map(\.entry).first { $0.name == "migrations" }
  }

  static func foreign(_ path: String) -> PortError {
    .failed(
      "\(path) is a file of another program, not a Godwit store; nothing was changed: choose "
        + "another file with --store")
  }

  private static func newer(_ path: String, step: String) -> PortError {
    .newer(
      "the store \(path) was written by a newer godwit (it has \"\(step)\"); nothing was "
        + "changed: install that version or choose another file with --store")
  }
}
