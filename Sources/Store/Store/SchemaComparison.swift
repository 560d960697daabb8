import Ports
import Records

/// A file's schema compared with the expected one. Other programs may have tables, views and
/// columns of their own in it, indexes on ours, and the spatial indexes that GDAL and QGIS make.
/// Other changes to our tables are refused: a trigger or a view is a program, from an unknown
/// author.
struct SchemaComparison {
  /// Entries that must not exist.
  private(set) var objections: [SchemaViolation] = []
  /// Missing triggers and indexes.
  private(set) var missing: [SchemaEntry] = []

  private let connection: Connection
  private let model: SchemaModel
  private var expected: [SchemaEntry] { model.entries }
  private let entries: [SchemaEntry]
  /// Tables that are written together with a record.
  private let written: Set<String>

  /// - Parameter applied: how many of the store's steps the file has.
  init(of connection: Connection, applied: Int) throws(PortError) {
    try self.init(of: connection, beside: SchemaModel.after(applied))
  }

  /// - Parameter model: the expected schema.
  init(of connection: Connection, beside model: SchemaModel) throws(PortError) {
    self.connection = connection
    self.model = model
    entries = try connection.schemaRows().map { model.known[$0] ?? $0.entry }
    let tables = model.entries.filter { $0.kind == .table || $0.kind == .virtualTable }.map(\.name)
    written = Set(tables + [SpatialIndexTrigger.counts])
    guard !model.entries.isEmpty else { return }
    try compare()
  }

  /// - Throws: `failed` with the first objection.
  func refuse(
    forReading: Bool, in file: SchemaViolation.File = .store
  ) throws(PortError) {
    let objection = objections.first { $0.concernsReading || !forReading }
    if let objection { throw objection.refusal(connection.name, in: file) }
  }

  /// Triggers on our tables that are neither ours nor those of a spatial index, for the list of
  /// what a repair leaves out.
  var foreignTriggers: [String] {
    entries.filter { isForeignTrigger($0) }.map {
      SQLiteFailure.displayed("trigger \($0.name) on \($0.table)")
    }.sorted()
  }

  // MARK: Each entry

  private mutating func compare() throws(PortError) {
    for entry in entries {
      if let objection = try objection(to: entry) { objections.append(objection) }
    }
    for own in expected where own.kind == .trigger || own.kind == .index {
      guard !entries.contains(where: { $0.kind == own.kind && $0.name == own.name }) else {
        continue
      }
      missing.append(own)
    }
  }

  private func objection(
    to entry: SchemaEntry
  ) throws(PortError) -> SchemaViolation? {
    let name = SQLiteFailure.displayed(entry.name)
    let own = expected.first { $0.name == entry.name && $0.kind != .trigger && $0.kind != .index }
    guard entry.isConsistent else {
      if let own { return .replaced(own.name, by: entry) }
      return SchemaViolation(
        table: SQLiteFailure.displayed(entry.table),
        text: "the schema's entry \(name) does not create what it names", concernsReading: true)
    }
    switch entry.kind {
    case .table, .virtualTable, .view:
      guard let own else { return nil }
      guard entry.kind == own.kind else { return .replaced(own.name, by: entry) }
      if own.kind == .table { return try objection(toTable: entry, own) }
      guard !entry.isSame(as: own) else { return nil }
      return SchemaViolation(
        table: own.name, text: "the \(own.kind.rawValue) \(own.name) differs from that of godwit",
        concernsReading: true)
    case .trigger:
      guard isForeignTrigger(entry) else { return nil }
      return SchemaViolation(
        table: entry.table, text: "the trigger \(name) on \(entry.table) does not belong to godwit",
        concernsReading: false)
    case .index:
      guard written.contains(entry.table), !isHarmless(entry),
        !expected.contains(where: entry.isSame)
      else { return nil }
      return SchemaViolation(
        table: entry.table, text: "the index \(name) on \(entry.table) does not belong to godwit",
        concernsReading: false)
    case .automaticIndex, .unknown: return nil
    }
  }

  private func isForeignTrigger(_ entry: SchemaEntry) -> Bool {
    guard entry.kind == .trigger, isWritten(entry.table) else { return false }
    if expected.contains(where: entry.isSame) { return false }
    return !SpatialIndexTrigger.isOne(entry)
  }

  /// Includes the tables that the triggers of spatial indexes, and of our own index, write to.
  private func isWritten(_ table: String) -> Bool {
    written.contains(table) || PlaceSchema.indexTables.contains(table)
      || table.hasPrefix(SpatialIndexTrigger.prefix)
  }

  /// It only speeds up queries, and refuses nothing: on columns alone, not unique.
  private func isHarmless(_ index: SchemaEntry) -> Bool {
    let tokens = index.tokens
    guard tokens.count > 1, tokens[1].is("index"),
      let open = tokens.firstIndex(where: { $0.is("(") }), tokens.last?.is(")") == true
    else { return false }
    return !tokens[(open + 1)...].dropLast().contains { $0.is("(") || $0.is(")") }
  }

  // MARK: Tables

  /// Keywords by which a table does more than store its rows, or changes them.
  private static let rules = ["check", "conflict", "generated", "as", "unique", "collate"]

  private func objection(
    toTable entry: SchemaEntry, _ own: SchemaEntry
  ) throws(PortError) -> SchemaViolation? {
    if entry.isSame(as: own) { return nil }
    let columns = try connection.columns(of: own.name)
    for column in model.columns[own.name] ?? [] where !columns.contains(column) {
      return SchemaViolation(
        table: own.name, text: "the table \(own.name) has no column \(column)",
        concernsReading: true, isAbsence: true)
    }
    // Added columns come last; a table that was rebuilt may be entirely different.
    let tokens = entry.tokens
    let common = zip(tokens, own.tokens).prefix { $0.text == $1.text }.count
    let added = tokens[common...]
    let rule =
      added.first { $0.kind == .word && Self.rules.contains($0.text) }
      ?? zip(added, added.dropFirst()).first { $0.is("default") && $1.is("(") }?.0
    guard let rule else { return nil }
    return SchemaViolation(
      table: own.name,
      text:
        "the table \(own.name) has a rule that is not of godwit (\(rule.text.uppercased()))",
      concernsReading: ["generated", "as"].contains(rule.text))
  }
}

extension Connection {
  /// Compares the schema with that of the store's applied steps.
  func guardStoreSchema() throws(PortError) {
    try guardSchema { (connection) throws(PortError) in
      let applied = try Migration.appliedCount(Migration.all, in: connection)
      try SchemaComparison(of: connection, applied: applied).refuse(forReading: false)
    }
  }

  /// All entries of the file's schema.
  func schemaEntries() throws(PortError) -> [SchemaEntry] { try schemaRows().map(\.entry) }

  /// - Parameter condition: in SQL.
  func schemaRows(_ condition: String = "") throws(PortError) -> [SchemaRow] {
    let statement = try prepareOnce(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema \(condition)")
    var rows: [SchemaRow] = []
    while try statement.step() {
      rows.append(
        SchemaRow(
          type: statement.text(0), name: statement.text(1), table: statement.text(2),
          sql: statement.text(3)))
    }
    return rows
  }

  /// In lower case, without computed columns.
  func columns(of table: String) throws(PortError) -> Set<String> {
    let statement = try prepareOnce("PRAGMA table_xinfo(\(table))")
    var columns: Set<String> = []
    while try statement.step() {
      if let name = statement.text(1), statement.integer(6) == 0 {
        columns.insert(SQLToken.folded(name))
      }
    }
    return columns
  }
}
