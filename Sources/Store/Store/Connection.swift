import CSQLite
import Platform
import Ports

/// One connection to one SQLite file: statements are prepared once, failures become a `PortError`
/// with a text that says what, where and what to do next.
final class Connection {
  enum Access {
    case readWriteCreating
    case readOnly
    /// For a file without a writer: no locks are taken and no side files are made.
    case immutable
    /// For a new file of our own that no other program sees yet.
    case draft

    fileprivate var use: FileAccess.Use {
      self == .readWriteCreating || self == .draft ? .writing : .reading
    }
  }

  private let file: ConnectionHandle
  private var schemaGuard: SchemaGuard?
  private var statements: [String: Statement] = [:]

  /// The file's name in messages.
  var name: String { file.name }
  var path: String { file.path }
  var handle: OpaquePointer { file.pointer }
  /// The limits for statements.
  var limits: ConnectionLimits { file.limits }

  /// Waits at most `busyTimeoutMilliseconds` for a lock that another process holds.
  ///
  /// - Parameters:
  ///   - name: the file's name in messages, if its path is temporary.
  ///   - lock: acquired before the file is opened; released after it is closed.
  init(
    path: String, name: String? = nil, access: Access, lock: StoreLock? = nil,
    busyTimeoutMilliseconds: Int32 = 2000
  ) throws(PortError) {
    let name = name ?? path
    let stamp = access == .immutable ? FileStamp(path: path) : nil
    if access != .immutable { try Self.refuseEmptied(path) }
    var opened: OpaquePointer?
    let location = access == .immutable ? FileName.immutable(path) : path
    let code = sqlite3_open_v2(location, &opened, Self.flags(access), nil)
    guard let opened else {
      throw .failed("cannot open the store \(name): out of memory; free some and try again")
    }
    guard code == SQLITE_OK else {
      let error = PortError(opened, path: name, doing: "open", access.use)
      sqlite3_close_v2(opened)
      throw error
    }
    let limits = ConnectionLimits(
      opened, isDefensive: access != .draft, trustsSchema: access.use == .writing)
    limits.work = .wholeFile
    file = ConnectionHandle(
      opened, limits, name: name, path: path, for: access.use, stamp: stamp, lock: lock)
    sqlite3_busy_timeout(handle, busyTimeoutMilliseconds)
    sqlite3_extended_result_codes(handle, 1)
    if access.use == .writing { GeometryFunctions.register(on: handle) }
  }

  /// SQLite treats an empty file as a new one, and removes the log beside it.
  private static func refuseEmptied(_ path: String) throws(PortError) {
    guard let status = FileStatus(path: path), status.kernel.st_size == 0,
      case let log = StoreFiles(path).log, FileStatus(path: log)?.kernel.st_size ?? 0 > 0
    else { return }
    throw .corrupt(
      "the store \(path) is empty, but its log \(log) is not; nothing was changed: move the "
        + "log away to keep it, or restore a backup with `godwit store restore`")
  }

  /// Sets how long to wait for a lock that another process holds.
  func wait(atMost milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

  /// Finalizes the statements and closes the file. The connection cannot be used after that.
  func close() {
    statements.removeAll()
    file.close()
  }

  /// Whether closing leaves the log and the main file unchanged, because they may not belong
  /// together.
  var keepsLogOnClose = false {
    didSet { godwit_keep_log_on_close(handle, keepsLogOnClose ? 1 : 0) }
  }

  /// Moves all of the log into the main file.
  ///
  /// - Returns: false if a reader still needs a part of it.
  func checkpoint() throws(PortError) -> Bool {
    let statement = try prepareOnce("PRAGMA wal_checkpoint(TRUNCATE)", doing: "write to")
    return try statement.step() && statement.integer(0) == 0
  }

  /// The file's absolute name without links: SQLite derives the names of its side files from it.
  var fileName: String { sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? path }

  /// Whether the whole file is one valid database, read anew. Takes as long as reading it all.
  func isSound() throws(PortError) -> Bool {
    let work = limits.work
    limits.work = .wholeFile
    defer { limits.work = work }
    do {
      try execute("PRAGMA shrink_memory", doing: "read")
      let statement = try prepareOnce("PRAGMA quick_check(1)")
      return try statement.step() && statement.text(0) == "ok"
    } catch {
      if case .corrupt = error { return false }
      throw error
    }
  }

  /// Whether the file is read without locks, as it had no writer.
  var isImmutable: Bool { file.isImmutable }

  /// Whether no transaction is active, so that the next statement sees the newest state.
  var isAtRest: Bool { sqlite3_txn_state(handle, nil) == SQLITE_TXN_NONE }

  /// Whether the file could be opened for reading only, although writing was requested.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Runs statements without results.
  func execute(_ sql: String, doing action: String = "change") throws(PortError) {
    limits.begin()
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw failure(doing: action)
    }
  }

  /// The statement for this text, prepared on first use and reset.
  func prepared(_ sql: String, doing action: String = "read") throws(PortError) -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    let statement = try prepareOnce(sql, doing: action)
    statements[sql] = statement
    return statement
  }

  /// A statement for this caller alone, for reading row by row while others run.
  func prepareOnce(_ sql: String, doing action: String = "read") throws(PortError) -> Statement {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure(doing: action)
    }
    return Statement(prepared, of: file, action: action)
  }

  /// The first column of the first row, as an integer; nil if there is no row or it is null.
  func integer(_ sql: String) throws(PortError) -> Int64? {
    let statement = try prepareOnce(sql)
    guard try statement.step() else { return nil }
    return statement.integer(0)
  }

  /// Runs `body` as one transaction: it commits all of it or nothing.
  func transaction(_ body: () throws(PortError) -> Void) throws(PortError) {
    try execute("BEGIN IMMEDIATE", doing: "write to")
    do {
      try verifySchema()
      try body()
      try execute("COMMIT", doing: "write to")
    } catch {
      // SQLite itself rolls back after some failures (disk full, input/output).
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// - Throws: `busy` if an immutable file was written meanwhile.
  func checkUnchanged() throws(PortError) { try file.checkUnchanged() }

  /// Refuses an untrusted schema: now, and before a transaction whenever another program has
  /// changed it.
  ///
  /// - Parameter refuse: throws if the schema is not as expected.
  func guardSchema(
    _ refuse: @escaping (Connection) throws(PortError) -> Void
  ) throws(PortError) {
    var guarding = SchemaGuard(refuse)
    try guarding.verify(self)
    schemaGuard = guarding
  }

  /// Refuses the schema if another program has changed it since in an untrusted way.
  func verifySchema() throws(PortError) { try schemaGuard?.verify(self) }

  /// Rows that the last statement inserted, changed or deleted.
  var changes: Int { Int(sqlite3_changes(handle)) }

  func failure(doing action: String) -> PortError {
    file.failure(doing: action)
  }

  private static func flags(_ access: Access) -> Int32 {
    switch access {
    case .readWriteCreating, .draft:
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    case .readOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
    case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
    }
  }
}
