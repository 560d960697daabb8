import CSQLite

/// A prepared statement, whatever type its connection has. Parameters count from 1 and columns from
/// 0, as in SQLite.
public protocol PreparedStatement: AnyObject {
  var handle: OpaquePointer { get }
}

extension PreparedStatement {
  /// Resets the statement for other values.
  public func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  // MARK: Parameters

  public func bind(_ index: Int32, _ value: Int64?) {
    guard let value else { return bindNull(index) }
    sqlite3_bind_int64(handle, index, value)
  }

  public func bind(_ index: Int32, _ value: Double?) {
    guard let value else { return bindNull(index) }
    sqlite3_bind_double(handle, index, value)
  }

  public func bind(_ index: Int32, _ text: String?) {
    guard var text else { return bindNull(index) }
    text.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), Self.copying)
      }
    }
  }

  public func bind(_ index: Int32, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), Self.copying)
    }
  }

  private func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

  /// SQLITE_TRANSIENT: SQLite makes its own copy before the call returns.
  private static var copying: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  // MARK: Columns

  /// Nil for a value that is not an integer: SQLite itself would convert any text.
  public func integer(_ column: Int32) -> Int64? {
    guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(handle, column)
  }

  /// Nil for a value that is not a finite number.
  public func real(_ column: Int32) -> Double? {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER, SQLITE_FLOAT:
      let number = sqlite3_column_double(handle, column)
      return number.isFinite ? number : nil
    default: return nil
    }
  }

  /// Nil for a value that is not text.
  public func text(_ column: Int32) -> String? {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT,
      let bytes = sqlite3_column_text(handle, column)
    else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
