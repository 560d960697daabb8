import Ports
import Records

#if canImport(Glibc)
  import Glibc
#endif

/// Saves the readable rows of a damaged store into a new one, which replaces it. The damaged file
/// is kept as it was, under another name. No daemon may run.
public struct StoreRepair {
  /// The results for the rows of one table.
  public struct TableResult: Hashable, Sendable {
    public let table: String
    public var saved = 0
    /// Rows that were read but are invalid, each with the reason; the first ones.
    public var refused: [String] = []
    public var refusedCount = 0
    /// Ranges on damaged pages: their number of rows is unknown.
    public var unread: [String] = []

    fileprivate init(table: String) { self.table = table }

    fileprivate init(notTable name: String, _ kind: String) {
      table = name
      unread = ["it is not a table but a \(kind)"]
    }

    fileprivate mutating func refuse(_ reason: String) {
      refusedCount += 1
      if refused.count < StoreRepair.listed { refused.append(reason) }
    }
  }

  public private(set) var tableResults: [TableResult] = []
  /// Visits and points whose destination or session is lost, and whose reference is now null: its
  /// id will be reused.
  public private(set) var clearedReferences = 0
  /// Rows whose times were contradictory and were corrected.
  public private(set) var correctedRows = 0
  /// Tables, columns, views and triggers of other programs, which the new file lacks.
  public private(set) var leftOut: [String] = []
  /// The new path of the damaged file.
  public private(set) var keptAs = ""
  /// Why the new file may not survive a power cut.
  public private(set) var warning: String?

  var saved: Int { tableResults.reduce(0) { $0 + $1.saved } }
  public var refused: Int { tableResults.reduce(0) { $0 + $1.refusedCount } }
  public var unread: Int { tableResults.reduce(0) { $0 + $1.unread.count } }

  private static let listed = 20

  /// - Throws: `busy` while a daemon is running; `corrupt` if nothing is readable.
  public init(path: String) throws(PortError) {
    guard access(path, F_OK) == 0 else {
      throw PortError(system: errno, path: path, doing: "open")
    }
    let lock = try StoreLock(path: path)
    defer { lock.release() }
    let source = try Self.source(path, lock)
    leftOut = (try? SchemaCheck.foreignTables(in: source)) ?? []
    let draft = try StoreDraft(for: path, like: path)
    let target = try Connection(path: draft.path, name: path, access: .draft)
    // An incomplete draft is deleted: no journal is needed.
    try target.execute(
      """
      PRAGMA page_size = \(Connection.pageSize); PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF
      """, doing: "write")
    _ = try Migration.apply(to: target)
    leftOut += (try? SchemaCheck.foreignParts(of: source, beside: target)) ?? []
    // The readable part of a damaged schema.
    let entries = (try? source.schemaEntries()) ?? []
    try target.transaction { () throws(PortError) in
      for table in Table.examined {
        if let other = entries.first(where: { $0.name == table.name }),
          other.kind != .table || !other.isConsistent
        {
          tableResults.append(TableResult(notTable: table.name, other.kind.rawValue))
          continue
        }
        try save(table, from: source, to: target)
      }
      try clearLostReferences(in: target)
      correctedRows = try RowRelations(target).correct()
      // Readers of the old change log have to begin anew.
      try target.forgetChangeLog()
      try Self.describe(target)
    }
    guard saved > 0 || refused == 0 && unread == 0 else { throw Self.nothing(in: path) }
    // Rows from both sides of the damage have left gaps.
    try target.execute("VACUUM", doing: "write")
    let problems = try target.integrityProblems(atMost: 1)
    target.close()
    source.close()
    if let problem = problems.first {
      throw .failed(
        "the new file failed its integrity check (\(problem)); nothing was changed: try again")
    }
    keptAs = try draft.replaceStore(keepingAs: "damaged")
    warning = draft.warning
  }

  private static func source(
    _ path: String, _ lock: StoreLock
  ) throws(PortError) -> Connection {
    do {
      let source = try StoreReader.connection(path, isDamaged: true, lock: lock)
      try source.freeze()
      return source
    } catch {
      guard case .corrupt = error else { throw error }
      throw nothing(in: path)
    }
  }

  private static func nothing(in path: String) -> PortError {
    .corrupt(
      "nothing could be read from the store \(path); nothing was changed: restore a backup with "
        + "`godwit store restore FILE --store \(path)`, or move the file away and start a new one")
  }

  private mutating func save(
    _ table: Table, from source: Connection, to target: Connection
  ) throws(PortError) {
    var tally = TableResult(table: table.name)
    defer { tableResults.append(tally) }
    var walk: RowWalk
    do throws(PortError) {
      walk = try RowWalk(source, table.select)
    } catch  where error.isDamage {
      tally.unread.append("the table cannot be queried: \(error.message)")
      return
    } catch {
      throw error
    }
    var copy = RowCopy(table, to: target)
    try walk.run { (row) throws(PortError) in
      do throws(PortError) {
        try table.examine(row)
      } catch {
        return tally.refuse(error.message)
      }
      if try copy.insert(row) {
        tally.saved += 1
      } else {
        tally.refuse(
          "\(tally.table), id \(row.id): its id or key is repeated; the row read first stays"
        )
      }
    }
    // Faults of the other rows are reported already.
    try walk.runThroughPages { (row) throws(PortError) in
      guard (try? table.examine(row)) != nil, try copy.insert(row) else { return }
      tally.saved += 1
    }
    tally.unread = walk.gaps.map { $0.text(of: table.name) }
  }

  /// Sets references to lost rows to null. Destinations are kept for ever, but sessions older than
  /// all that are left may have been deleted regularly.
  private mutating func clearLostReferences(in target: Connection) throws(PortError) {
    for lost in [
      "visits SET destination_id = NULL WHERE destination_id NOT IN (SELECT id FROM destinations)",
      """
      track_points SET session_id = NULL
      WHERE session_id NOT IN (SELECT id FROM gnss_sessions)
        AND session_id >= (SELECT coalesce(min(id), 0) FROM gnss_sessions)
      """,
    ] {
      try target.prepareOnce("UPDATE \(lost)", doing: "write to").run()
      clearedReferences += target.changes
    }
  }

  /// Updates the layers' bounding boxes and times from their rows.
  private static func describe(_ target: Connection) throws(PortError) {
    for table in Table.ofRecords {
      guard let newest = table.layout?.newest else { continue }
      try target.execute(
        """
        UPDATE gpkg_contents SET last_change = coalesce(
          (SELECT max(\(newest)) FROM \(table.name)), last_change)
        WHERE table_name = '\(table.name)'
        """, doing: "write to")
    }
    var contents = try Contents(of: target)
    try contents.write(to: target, closing: true)
  }
}

/// Copies rows of one table into a file of the present schema.
private struct RowCopy {
  private let table: Table
  private let target: Connection
  private var insertion: Statement?

  init(_ table: Table, to target: Connection) {
    self.table = table
    self.target = target
  }

  /// Two rows with one key cannot both be right: the first stays.
  ///
  /// - Returns: whether the row was the first.
  mutating func insert(_ row: Statement) throws(PortError) -> Bool {
    if insertion == nil { insertion = try prepared(for: row) }
    guard let insertion else { return false }
    insertion.reset()
    for column in 0..<row.columnCount { insertion.bind(column + 1, column: column, of: row) }
    try insertion.run()
    return target.changes > 0
  }

  private func prepared(for row: Statement) throws(PortError) -> Statement {
    let columns = (0..<row.columnCount).map { row.name($0) }
    let values = columns.map { _ in "?" }
    return try target.prepareOnce(
      "INSERT OR IGNORE INTO \(table.name) (\(columns.joined(separator: ", "))) "
        + "VALUES (\(values.joined(separator: ", ")))", doing: "write to")
  }
}
