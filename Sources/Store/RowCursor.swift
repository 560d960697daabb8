import Ports
import Quantities
import Records

/// Rows one after the other, as they are asked for: a year of points never sits in memory.
public struct RowCursor<Row> {
  private let statement: Statement
  private let read: (RowReader) throws(StoreError) -> Row
  private let table: String

  init(
    _ connection: Connection, _ sql: String, table: Table,
    _ read: @escaping (RowReader) throws(StoreError) -> Row,
    bind: (Statement) -> Void = { _ in }
  ) throws(StoreError) {
    statement = try connection.prepareOnce(sql)
    bind(statement)
    self.table = table.rawValue
    self.read = read
  }

  /// The next row; nil after the last.
  ///
  /// - Throws: `corrupt` with table, id and column when a row cannot be understood.
  public mutating func next() throws(StoreError) -> Row? {
    guard try statement.step() else { return nil }
    return try read(RowReader(statement: statement, table: table))
  }

  /// All rows that are left. Only for tables that stay small.
  public mutating func all() throws(StoreError) -> [Row] {
    var rows: [Row] = []
    while let row = try next() { rows.append(row) }
    return rows
  }
}

/// The columns of one row, by position; the first is the id. Says which column of which row it was
/// when a value cannot be understood.
struct RowReader {
  let statement: Statement
  let table: String

  var id: Int64 { statement.integer(0) ?? 0 }

  func required<T>(
    _ column: Int32, _ value: T?
  ) throws(StoreError) -> T {
    guard let value else { throw damaged(column) }
    return value
  }

  func integer(_ column: Int32) throws(StoreError) -> Int64 {
    try required(column, statement.integer(column))
  }

  func optionalInteger(_ column: Int32) throws(StoreError) -> Int64? {
    statement.isNull(column) ? nil : try integer(column)
  }

  /// What can be counted: numbers beyond are not the store's, and would overflow where they are
  /// counted on.
  func count(_ column: Int32) throws(StoreError) -> Int {
    let count = try integer(column)
    return try required(column, (0...RecordIdentifier.highest) ~= count ? Int(count) : nil)
  }

  /// The row's id, as far as it is one that the store gives.
  func identifier() throws(StoreError) -> Int64 {
    try required(0, (0...RecordIdentifier.highest) ~= id ? id : nil)
  }

  func real(_ column: Int32) throws(StoreError) -> Double {
    try required(column, statement.real(column))
  }

  func optionalReal(_ column: Int32) throws(StoreError) -> Double? {
    statement.isNull(column) ? nil : try real(column)
  }

  func quantity<Q: Quantity>(_ column: Int32) throws(StoreError) -> Q { Q(try real(column)) }

  /// Nil when the column is empty; still an error when it holds something else than a number.
  func optionalQuantity<Q: Quantity>(_ column: Int32) throws(StoreError) -> Q? {
    statement.isNull(column) ? nil : try quantity(column)
  }

  /// Charges stand in milliampere-hours.
  func optionalCharge(_ column: Int32) throws(StoreError) -> Coulombs? {
    statement.isNull(column) ? nil : Coulombs(milliampereHours: try real(column))
  }

  func text(_ column: Int32) throws(StoreError) -> String {
    try required(column, statement.text(column))
  }

  func optionalText(_ column: Int32) throws(StoreError) -> String? {
    statement.isNull(column) ? nil : try text(column)
  }

  func time(_ column: Int32) throws(StoreError) -> UTCInstant {
    try required(column, statement.text(column).flatMap(DateTime.parse))
  }

  /// Nil when the column is empty; still an error when it holds something else than a time.
  func optionalTime(_ column: Int32) throws(StoreError) -> UTCInstant? {
    statement.isNull(column) ? nil : try time(column)
  }

  func place(_ column: Int32) throws(StoreError) -> Coordinate {
    try required(column, PointGeometry.decode(statement.blob(column)))
  }

  func word<Word: RawRepresentable>(
    _ column: Int32
  ) throws(StoreError) -> Word where Word.RawValue == String {
    try required(column, Word(rawValue: try text(column)))
  }

  private func damaged(_ column: Int32) -> StoreError {
    .damagedRow(table, id: id, column: statement.name(column), path: statement.storeName)
  }
}
