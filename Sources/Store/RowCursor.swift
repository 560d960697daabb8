import Ports
import Quantities
import Records

/// Rows one after the other, as they are asked for: a year of points never sits in memory.
public struct RowCursor<Row> {
  private let statement: Statement
  private let read: (RowReader) throws(DamagedColumn) -> Row
  private let table: String

  /// - Parameter condition: of SQL, with the order.
  init(
    _ connection: Connection, _ condition: String, bind: (Statement) -> Void = { _ in }
  ) throws(StoreError) where Row: StoredRecord {
    let table = Table.of(Row.self)
    statement = try connection.prepareOnce("\(table.select) \(condition)")
    bind(statement)
    self.table = table.name
    read = { (row) throws(DamagedColumn) in try Row(row: row) }
  }

  /// The next row; nil after the last.
  ///
  /// - Throws: `corrupt` with table, id and column when a row cannot be understood.
  public mutating func next() throws(StoreError) -> Row? {
    guard try statement.step() else { return nil }
    return try statement.understood(of: table, read)
  }

  /// All rows that are left. Only for tables that stay small.
  public mutating func all() throws(StoreError) -> [Row] {
    var rows: [Row] = []
    while let row = try next() { rows.append(row) }
    return rows
  }
}

extension Statement: StoredRow {
  func time(_ column: Int32) -> UTCInstant? { text(column).flatMap(DateTime.parse) }

  func position(_ column: Int32) -> Coordinate? { PointGeometry.decode(blob(column)) }

  /// The row that it stands on.
  ///
  /// - Throws: `corrupt` with table, id and column when it cannot be understood.
  func understood<Row>(
    of table: String, _ read: (RowReader) throws(DamagedColumn) -> Row
  ) throws(StoreError) -> Row {
    do {
      return try read(RowReader(self))
    } catch {
      throw .damagedRow(table, id: id, column: name(error.column), path: storeName)
    }
  }

  /// Of a row whose first column it is.
  var id: Int64 { integer(0) ?? 0 }
}
