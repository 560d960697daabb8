import CSQLite
import SQLite

/// A prepared statement of a radio map's.
final class MapStatement: PreparedStatement {
  let handle: OpaquePointer
  private unowned let database: MapDatabase

  init(_ handle: OpaquePointer, of database: MapDatabase) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Goes to the next row; false at the end.
  func step() throws(MapDatabase.Failure) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let failure = database.failure
      sqlite3_reset(handle)
      throw failure
    }
  }

  /// Runs a statement that has no rows to give, and is ready for other values.
  func run() throws(MapDatabase.Failure) {
    while try step() {}
    sqlite3_reset(handle)
  }

  /// Empty for anything but a blob.
  func blob(_ column: Int32) -> [UInt8] {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return [] }
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
