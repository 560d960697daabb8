import CSQLite

/// A prepared statement. Parameters count from 1 and columns from 0, as in SQLite.
final class MapStatement {
  private let handle: OpaquePointer
  private unowned let database: MapDatabase

  init(_ handle: OpaquePointer, of database: MapDatabase) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

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

  func bind(_ index: Int32, _ value: Int64?) {
    guard let value else { return bindNull(index) }
    sqlite3_bind_int64(handle, index, value)
  }

  func bind(_ index: Int32, _ value: Double?) {
    guard let value else { return bindNull(index) }
    sqlite3_bind_double(handle, index, value)
  }

  func bind(_ index: Int32, _ text: String) {
    // SQLITE_TRANSIENT: SQLite makes a copy of its own before the call returns.
    sqlite3_bind_text(handle, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  }

  func bind(_ index: Int32, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      sqlite3_bind_blob(
        handle, index, $0.baseAddress, Int32($0.count),
        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }

  private func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

  /// Nil for anything but a whole number.
  func integer(_ column: Int32) -> Int64? {
    guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(handle, column)
  }

  /// Nil for anything but a finite number.
  func real(_ column: Int32) -> Double? {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER, SQLITE_FLOAT:
      let number = sqlite3_column_double(handle, column)
      return number.isFinite ? number : nil
    default: return nil
    }
  }

  /// Nil for anything but text.
  func text(_ column: Int32) -> String? {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT,
      let bytes = sqlite3_column_text(handle, column)
    else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Empty for anything but a blob.
  func blob(_ column: Int32) -> [UInt8] {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return [] }
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
