import CSQLite
import Ports
import Core
import Records

#if canImport(Glibc)
  import Glibc
#endif

/// A prepared statement of a store.
final class Statement: PreparedStatement {
  let handle: OpaquePointer
  private let file: ConnectionHandle
  private let action: String

  init(_ handle: OpaquePointer, of file: ConnectionHandle, action: String) {
    self.handle = handle
    self.file = file
    self.action = action
  }

  deinit { sqlite3_finalize(handle) }

  /// Steps to the next row; false at the end.
  func step() throws(PortError) -> Bool {
    guard let isThere = try stepUnlessDamaged() else {
      defer { sqlite3_reset(handle) }
      throw file.failure(doing: action)
    }
    return isThere
  }

  /// Like `step`; nil if the file is damaged there, or the disk cannot read it, and the caller
  /// resets. A walk through such a file steps many thousand times, and composing an error message
  /// queries the file system each time.
  func stepUnlessDamaged() throws(PortError) -> Bool? {
    file.limits.begin()
    let result = sqlite3_step(handle)
    switch result & 0xff {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      try file.checkUnchanged()
      return false
    case SQLITE_CORRUPT, SQLITE_NOTADB,
      SQLITE_IOERR where sqlite3_system_errno(sqlite3_db_handle(handle)) == EIO:
      try file.checkUnchanged()
      return nil
    default:
      let error = file.failure(doing: action)
      try file.checkUnchanged()
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Like `step`; nil if a value of the row is longer than so many bytes. It is not loaded then.
  func step(fitting bytes: Int) throws(PortError) -> Bool? {
    let database = sqlite3_db_handle(handle)
    let usual = sqlite3_limit(database, SQLITE_LIMIT_LENGTH, -1)
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, min(usual, Int32(clamping: bytes)))
    defer { sqlite3_limit(database, SQLITE_LIMIT_LENGTH, usual) }
    do throws(PortError) {
      return try step()
    } catch {
      guard sqlite3_errcode(database) & 0xff == SQLITE_TOOBIG else { throw error }
      sqlite3_reset(handle)
      return nil
    }
  }

  /// Runs a statement without result rows.
  func run() throws(PortError) {
    while try step() {}
    sqlite3_reset(handle)
  }

  // MARK: Parameters

  func bind(_ index: Int32, _ instant: UTCInstant?) {
    bind(index, instant.map(DateTime.text))
  }

  func bind(_ index: Int32, _ quantity: (some Quantity)?) { bind(index, quantity?.value) }

  func bind(_ index: Int32, _ position: Coordinate) { bind(index, PointGeometry.encode(position)) }

  /// Copies the value from the row of another statement, whatever its type.
  func bind(_ index: Int32, column: Int32, of row: Statement) {
    sqlite3_bind_value(handle, index, sqlite3_column_value(row.handle, column))
  }

  // MARK: Columns

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func blob(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Size of a text or a blob; 0 for anything else.
  func byteCount(_ column: Int32) -> Int {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_TEXT, SQLITE_BLOB: Int(sqlite3_column_bytes(handle, column))
    default: 0
    }
  }

  var columnCount: Int32 { sqlite3_column_count(handle) }

  func name(_ column: Int32) -> String { String(cString: sqlite3_column_name(handle, column)) }

  /// The file's name in messages.
  var storeName: String { file.name }
}

/// Rows one after the other, on request: a year of points never sits in memory.
public struct RowCursor<Row> {
  private let statement: Statement
  private let read: (RowReader) throws(DamagedColumn) -> Row
  private let table: String
  private let positions: ColumnPositions
  /// Nil: nobody else writes the table, and the statement gives the whole row.
  private let bounded: BoundedRow?
  /// Whether no rows can follow an error.
  private var isOver = false

  /// - Parameter condition: in SQL, with the order.
  init(
    _ connection: Connection, _ condition: String, bind: (Statement) -> Void = { _ in }
  ) throws(PortError) where Row: StoredRecord {
    try self.init(connection, of: Row.layout.name, condition, bind: bind)
  }

  /// - Parameter table: one with the same columns as the rows' own.
  init(
    _ connection: Connection, of table: String, _ condition: String,
    bind: (Statement) -> Void = { _ in }
  ) throws(PortError) where Row: StoredRecord {
    bounded = try BoundedRow(connection, table, Row.layout)
    let given = bounded == nil ? Row.layout.columns.map(\.name) : []
    let columns = (["id"] + given).joined(separator: ", ")
    statement = try connection.prepareOnce("SELECT \(columns) FROM \(table) \(condition)")
    bind(statement)
    self.table = table
    positions = Row.layout.positions
    read = { (row) throws(DamagedColumn) in try Row(row: row) }
  }

  /// The next row; nil after the last.
  ///
  /// - Throws: `corrupt` with table, id and column if a row is invalid.
  public mutating func next() throws(PortError) -> Row? {
    while try isAtRow() {
      guard let bounded else { return try statement.decoded(of: table, positions, read) }
      if let row = try bounded.read(statement.id, read) { return row }
    }
    return nil
  }

  private mutating func isAtRow() throws(PortError) -> Bool {
    guard !isOver else { return false }
    do throws(PortError) {
      return try statement.step()
    } catch {
      // The statement would begin anew.
      isOver = true
      throw error
    }
  }

  /// The row of an id; nil: there is none.
  /// - Precondition: the condition is `WHERE id = ?1`.
  mutating func row(_ id: Int64) throws(PortError) -> Row? {
    if let bounded { return try bounded.read(id, read) }
    statement.reset()
    statement.bind(1, id)
    isOver = false
    return try next()
  }

  /// All remaining rows. Only for tables that stay small.
  public mutating func all() throws(PortError) -> [Row] {
    var rows: [Row] = []
    while let row = try next() { rows.append(row) }
    return rows
  }
}

extension Statement: StoredRow {
  func time(_ column: Int32) -> UTCInstant? { text(column).flatMap(DateTime.parse) }

  func position(_ column: Int32) -> Coordinate? { PointGeometry.decode(blob(column)) }

  func polygons(_ column: Int32) -> [[[Coordinate]]]? { PolygonGeometry.decode(blob(column)) }

  /// The current row.
  ///
  /// - Throws: `corrupt` with table, id and column if it is invalid.
  func decoded<Row>(
    of table: String, _ positions: ColumnPositions,
    _ read: (RowReader) throws(DamagedColumn) -> Row
  ) throws(PortError) -> Row {
    do {
      return try read(RowReader(self, positions))
    } catch {
      throw .damagedRow(table, id: id, column: name(error.column), path: storeName)
    }
  }

  /// The first column of the row.
  var id: Int64 { integer(0) ?? 0 }
}
