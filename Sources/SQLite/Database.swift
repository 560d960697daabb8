import CSQLite
import Platform

/// One connection to one SQLite file beside the store, with its statements: the radio map's, the
/// uplink's.
///
/// The store has a connection of its own: its messages advise on the store.
public final class Database {
  public enum Access {
    case readWrite
    /// Beside a writer.
    case readOnly
    /// For a file that is only ever replaced as a whole: no locks, no side files.
    case immutable
  }

  /// What a failure means for who had asked.
  public struct Failure: Error {
    /// `foreign`: the file is somebody else's, and was not touched.
    public enum Kind: Sendable { case damaged, foreign, full, other }
    public let kind: Kind
    public let text: String

    public init(kind: Kind, text: String) {
      self.kind = kind
      self.text = text
    }
  }

  public let path: String
  private let handle: OpaquePointer
  private var statements: [String: DatabaseStatement] = [:]

  public init(path: String, access: Access, cacheKilobytes: Int) throws(Failure) {
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
    // From here on everything is initialized, so that `deinit` closes it also after a throw.
    guard code == SQLITE_OK else { throw Self.failure(opened) }
    sqlite3_extended_result_codes(opened, 1)
    try execute(
      "PRAGMA cache_size = -\(cacheKilobytes); PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY")
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  public func execute(_ sql: String) throws(Failure) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  /// The statement for this text, prepared once, without values.
  public func prepared(_ sql: String) throws(Failure) -> DatabaseStatement {
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

  /// The first column of the first row; nil where there is none.
  public func integer(_ sql: String) throws(Failure) -> Int64? {
    let statement = try prepared(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// All of it or nothing.
  public func transaction(_ body: () throws(Failure) -> Void) throws(Failure) {
    try execute("BEGIN IMMEDIATE")
    do throws(Failure) {
      try body()
      try execute("COMMIT")
    } catch {
      // SQLite ends it by itself after some failures.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Rows that the last statement inserted, changed or deleted.
  public var changes: Int { Int(sqlite3_changes(handle)) }

  /// What went wrong last.
  var failure: Failure { Self.failure(handle) }

  private static func failure(_ handle: OpaquePointer) -> Failure {
    let code = sqlite3_extended_errcode(handle)
    let system = sqlite3_system_errno(handle)
    let more = system == 0 ? "" : ", \(SystemError(code: system).text)"
    let text = "SQLite says \(String(cString: sqlite3_errmsg(handle)))\(more), code \(code)"
    let kind: Failure.Kind =
      switch code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_FULL: .full
      default: .other
      }
    return Failure(kind: kind, text: text)
  }
}
