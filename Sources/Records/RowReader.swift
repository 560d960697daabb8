import Core

/// A row of a store. Columns count from 0, which is the id. Values are nil if they do not have the
/// requested type.
public protocol StoredRow {
  func isNull(_ column: Int32) -> Bool
  func integer(_ column: Int32) -> Int64?
  /// Finite.
  func real(_ column: Int32) -> Double?
  func text(_ column: Int32) -> String?
  func time(_ column: Int32) -> UTCInstant?
  func position(_ column: Int32) -> Coordinate?
  /// Polygons, each as rings, the outer one first, each as corners.
  func polygons(_ column: Int32) -> [[[Coordinate]]]?
}

/// A value that cannot be interpreted.
public struct DamagedColumn: Error, Hashable, Sendable {
  public let column: Int32

  public init(column: Int32) { self.column = column }
}

/// Where the columns of a table stand in its rows, behind the id.
public struct ColumnPositions: Hashable, Sendable {
  private let byName: [String: Int32]

  public init(_ names: [String]) {
    byName = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1, Int32($0) + 1) })
  }

  /// - Precondition: the table has a column of that name.
  subscript(name: String) -> Int32 {
    guard let position = byName[name] else { preconditionFailure("no column is called \(name)") }
    return position
  }
}

/// The columns of one row, by the names that its table declares.
public struct RowReader {
  private let row: any StoredRow
  private let positions: ColumnPositions

  public init(_ row: any StoredRow, _ positions: ColumnPositions) {
    self.row = row
    self.positions = positions
  }

  /// What a column holds.
  /// - Throws: when it is not there, or not of the type that is asked for.
  private func value<T>(
    _ column: String, _ read: (Int32) -> T?
  ) throws(DamagedColumn) -> T {
    let position = positions[column]
    guard let value = read(position) else { throw DamagedColumn(column: position) }
    return value
  }

  private func isNull(_ column: String) -> Bool { row.isNull(positions[column]) }

  func integer(_ column: String) throws(DamagedColumn) -> Int64 {
    try value(column) { row.integer($0) }
  }

  func optionalInteger(_ column: String) throws(DamagedColumn) -> Int64? {
    isNull(column) ? nil : try integer(column)
  }

  /// What can be counted: numbers beyond are not the store's, and would overflow where they are
  /// counted on.
  func count(_ column: String) throws(DamagedColumn) -> Int {
    try value(column) { position in
      row.integer(position).flatMap { (0...RecordIdentifier.highest) ~= $0 ? Int($0) : nil }
    }
  }

  /// The row's id, if it is in the range of ids that the store assigns.
  func identifier() throws(DamagedColumn) -> Int64 {
    let id = row.integer(0) ?? 0
    guard (0...RecordIdentifier.highest) ~= id else { throw DamagedColumn(column: 0) }
    return id
  }

  func flag(_ column: String) throws(DamagedColumn) -> Bool { try integer(column) != 0 }

  func optionalFlag(_ column: String) throws(DamagedColumn) -> Bool? {
    isNull(column) ? nil : try flag(column)
  }

  func real(_ column: String) throws(DamagedColumn) -> Double {
    try value(column) { row.real($0) }
  }

  func optionalReal(_ column: String) throws(DamagedColumn) -> Double? {
    isNull(column) ? nil : try real(column)
  }

  func quantity<Q: Quantity>(_ column: String) throws(DamagedColumn) -> Q {
    Q(try real(column))
  }

  /// Nil when the column is empty; still an error when it holds something else than a number.
  func optionalQuantity<Q: Quantity>(_ column: String) throws(DamagedColumn) -> Q? {
    isNull(column) ? nil : try quantity(column)
  }

  /// Charges stand in milliampere-hours.
  func charge(_ column: String) throws(DamagedColumn) -> Coulombs {
    Coulombs(milliampereHours: try real(column))
  }

  /// Charges stand in milliampere-hours.
  func optionalCharge(_ column: String) throws(DamagedColumn) -> Coulombs? {
    isNull(column) ? nil : try charge(column)
  }

  public func text(_ column: String) throws(DamagedColumn) -> String {
    try value(column) { row.text($0) }
  }

  func optionalText(_ column: String) throws(DamagedColumn) -> String? {
    isNull(column) ? nil : try text(column)
  }

  func time(_ column: String) throws(DamagedColumn) -> UTCInstant {
    try value(column) { row.time($0) }
  }

  /// Nil when the column is empty; still an error when it holds something else than a time.
  func optionalTime(_ column: String) throws(DamagedColumn) -> UTCInstant? {
    isNull(column) ? nil : try time(column)
  }

  /// A place in two columns.
  func optionalPosition(
    latitude: String, longitude: String
  ) throws(DamagedColumn) -> Coordinate? {
    guard let first = try optionalReal(latitude) else { return nil }
    let second = try real(longitude)
    return try value(latitude) { _ in Coordinate(checkedLatitude: first, longitude: second) }
  }

  func position(_ column: String) throws(DamagedColumn) -> Coordinate {
    try value(column) { row.position($0) }
  }

  func optionalPosition(_ column: String) throws(DamagedColumn) -> Coordinate? {
    isNull(column) ? nil : try position(column)
  }

  func optionalPolygons(_ column: String) throws(DamagedColumn) -> [[[Coordinate]]]? {
    isNull(column) ? nil : try value(column) { row.polygons($0) }
  }

  func word<Word: RawRepresentable>(
    _ column: String
  ) throws(DamagedColumn) -> Word where Word.RawValue == String {
    try value(column) { row.text($0).flatMap(Word.init) }
  }

  func optionalWord<Word: RawRepresentable>(
    _ column: String
  ) throws(DamagedColumn) -> Word? where Word.RawValue == String {
    isNull(column) ? nil : try word(column)
  }
}
