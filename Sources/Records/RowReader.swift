import Core

/// A row as a store has it. Columns count from 0, which is the id. Nil for what is not of the type
/// that is asked for.
public protocol StoredRow {
  func isNull(_ column: Int32) -> Bool
  func integer(_ column: Int32) -> Int64?
  /// Finite.
  func real(_ column: Int32) -> Double?
  func text(_ column: Int32) -> String?
  func time(_ column: Int32) -> UTCInstant?
  func position(_ column: Int32) -> Coordinate?
  /// Of each polygon its rings, the outer one first, of each ring its corners.
  func polygons(_ column: Int32) -> [[[Coordinate]]]?
}

/// A value cannot be understood.
public struct DamagedColumn: Error, Hashable, Sendable {
  public let column: Int32

  public init(column: Int32) { self.column = column }
}

/// The columns of one row, by position: 0 is the id, and the others follow as the table declares
/// them.
public struct RowReader {
  private let row: any StoredRow

  public init(_ row: any StoredRow) { self.row = row }

  public func required<T>(_ column: Int32, _ value: T?) throws(DamagedColumn) -> T {
    guard let value else { throw DamagedColumn(column: column) }
    return value
  }

  public func integer(_ column: Int32) throws(DamagedColumn) -> Int64 {
    try required(column, row.integer(column))
  }

  public func optionalInteger(_ column: Int32) throws(DamagedColumn) -> Int64? {
    row.isNull(column) ? nil : try integer(column)
  }

  /// What can be counted: numbers beyond are not the store's, and would overflow where they are
  /// counted on.
  public func count(_ column: Int32) throws(DamagedColumn) -> Int {
    let count = try integer(column)
    return try required(column, (0...RecordIdentifier.highest) ~= count ? Int(count) : nil)
  }

  /// The row's id, as far as it is one that the store gives.
  public func identifier() throws(DamagedColumn) -> Int64 {
    let id = row.integer(0) ?? 0
    return try required(0, (0...RecordIdentifier.highest) ~= id ? id : nil)
  }

  public func flag(_ column: Int32) throws(DamagedColumn) -> Bool { try integer(column) != 0 }

  public func optionalFlag(_ column: Int32) throws(DamagedColumn) -> Bool? {
    row.isNull(column) ? nil : try flag(column)
  }

  public func real(_ column: Int32) throws(DamagedColumn) -> Double {
    try required(column, row.real(column))
  }

  public func optionalReal(_ column: Int32) throws(DamagedColumn) -> Double? {
    row.isNull(column) ? nil : try real(column)
  }

  public func quantity<Q: Quantity>(_ column: Int32) throws(DamagedColumn) -> Q {
    Q(try real(column))
  }

  /// Nil when the column is empty; still an error when it holds something else than a number.
  public func optionalQuantity<Q: Quantity>(_ column: Int32) throws(DamagedColumn) -> Q? {
    row.isNull(column) ? nil : try quantity(column)
  }

  /// Charges stand in milliampere-hours.
  public func optionalCharge(_ column: Int32) throws(DamagedColumn) -> Coulombs? {
    row.isNull(column) ? nil : Coulombs(milliampereHours: try real(column))
  }

  public func text(_ column: Int32) throws(DamagedColumn) -> String {
    try required(column, row.text(column))
  }

  public func optionalText(_ column: Int32) throws(DamagedColumn) -> String? {
    row.isNull(column) ? nil : try text(column)
  }

  public func time(_ column: Int32) throws(DamagedColumn) -> UTCInstant {
    try required(column, row.time(column))
  }

  /// Nil when the column is empty; still an error when it holds something else than a time.
  public func optionalTime(_ column: Int32) throws(DamagedColumn) -> UTCInstant? {
    row.isNull(column) ? nil : try time(column)
  }

  public func position(_ column: Int32) throws(DamagedColumn) -> Coordinate {
    try required(column, row.position(column))
  }

  func optionalPosition(_ column: Int32) throws(DamagedColumn) -> Coordinate? {
    row.isNull(column) ? nil : try position(column)
  }

  func optionalPolygons(_ column: Int32) throws(DamagedColumn) -> [[[Coordinate]]]? {
    row.isNull(column) ? nil : try required(column, row.polygons(column))
  }

  public func word<Word: RawRepresentable>(
    _ column: Int32
  ) throws(DamagedColumn) -> Word where Word.RawValue == String {
    try required(column, Word(rawValue: try text(column)))
  }

  public func optionalWord<Word: RawRepresentable>(
    _ column: Int32
  ) throws(DamagedColumn) -> Word? where Word.RawValue == String {
    row.isNull(column) ? nil : try word(column)
  }
}
