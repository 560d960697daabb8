import CSQLite

/// One connection to one SQLite file other than the store, with its statements: the radio map's,
/// the uplink's.
///
/// The store has a connection type of its own, with messages particular to the store.
public final class Database {
  enum Access {
    case readWrite
    /// In parallel to a writer.
    case readOnly
    /// For a file that is only ever replaced as a whole: no locks, no side files.
    case immutable
  }

  /// What a failure means for the caller.
  public struct Failure: Error {
    /// `foreign`: the file belongs to another program, and was not changed. `locked`: another
    /// program has locked it for longer than the timeout.
    public enum Kind: Sendable { case damaged, foreign, full, locked, other }
    public let kind: Kind
    public let text: String
  }

  let path: String
  private let handle: OpaquePointer
  private let limits: ConnectionLimits
  private var statements: [String: DatabaseStatement] = [:]

  /// - Parameter work: the limit for a step of a statement.
  init(
    path: String, access: Access, cacheKilobytes: Int, work: ConnectionLimits.Work = .routine,
    patienceMilliseconds: Int32 = 0
  ) throws(Failure) {
    self.path = path
    var opened: OpaquePointer?
    let name = access == .immutable ? FileName.immutable(path) : path
    let flags =
      switch access {
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else { throw Failure(kind: .other, text: "out of memory") }
    handle = opened
    limits = ConnectionLimits(opened)
    limits.work = work
    // From here on everything is initialized, so `deinit` closes it also after a throw.
    guard code == SQLITE_OK else { throw Self.failure(opened) }
    sqlite3_extended_result_codes(opened, 1)
    // The first statement already reads the file.
    sqlite3_busy_timeout(opened, patienceMilliseconds)
    try execute(
      "PRAGMA cache_size = -\(cacheKilobytes); PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY")
  }

  deinit {
    statements.removeAll()
    limits.end()
    sqlite3_close_v2(handle)
  }

  public func execute(_ sql: String) throws(Failure) {
    limits.begin()
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  /// The statement for this text, prepared once, without bound values.
  func prepared(_ sql: String) throws(Failure) -> DatabaseStatement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure
    }
    let statement = DatabaseStatement(prepared, of: self)
    statements[sql] = statement
    return statement
  }

  /// The first column of the first row; nil if there is none.
  func integer(_ sql: String) throws(Failure) -> Int64? {
    let statement = try prepared(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// - Throws: `damaged` if the file contains foreign parts that run by themselves, or that replace
  ///   a table: only the file's owner writes there.
  func refuseForeignSchema() throws(Failure) {
    let statement = try prepared("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    defer { statement.reset() }
    while try statement.step() {
      let entry = SchemaEntry(
        type: statement.text(0), name: statement.text(1), table: statement.text(2),
        sql: statement.text(3))
      guard entry.isConsistent, [.table, .index, .automaticIndex].contains(entry.kind) else {
        let name = SQLiteFailure.displayed(entry.name)
        throw Failure(
          kind: .damaged,
          text: "it has the \(entry.kind.rawValue) \(name), which does not belong to godwit")
      }
    }
  }

  /// Commits all of it or nothing.
  func transaction(_ body: () throws(Failure) -> Void) throws(Failure) {
    try execute("BEGIN IMMEDIATE")
    do throws(Failure) {
      try body()
      try execute("COMMIT")
    } catch {
      // SQLite itself rolls back after some failures.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Rows that the last statement inserted, changed or deleted.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// A step of a statement begins.
  func beginStep() { limits.begin() }

  /// The last failure.
  var failure: Failure { Self.failure(handle) }

  private static func failure(_ handle: OpaquePointer) -> Failure {
    let failure = SQLiteFailure(handle)
    let kind: Failure.Kind =
      switch failure.code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_FULL: .full
      case SQLITE_BUSY: .locked
      default: .other
      }
    return Failure(kind: kind, text: failure.text)
  }
}
