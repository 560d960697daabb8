import CSQLite

/// A prepared statement of a `Database`.
final class DatabaseStatement: PreparedStatement {
  let handle: OpaquePointer
  private unowned let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Steps to the next row; false at the end.
  func step() throws(Database.Failure) -> Bool {
    database.beginStep()
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let failure = database.failure
      sqlite3_reset(handle)
      throw failure
    }
  }

  /// Runs a statement without result rows, and resets it for other values.
  func run() throws(Database.Failure) {
    while try step() {}
    sqlite3_reset(handle)
  }

  /// Empty for a value that is not a blob.
  func blob(_ column: Int32) -> [UInt8] {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return [] }
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
