import Core

/// The table for records of one kind. It is declared once for the schema, and for writing, reading
/// back, checking, repairing, listing by time and deleting.
///
/// The id is the first column and is not among `columns`. Released columns never change. A new
/// column comes last, `added` in its own step of the schema.
public struct RecordTable<Row>: Sendable {
  public let layout: TableLayout
  public let columns: [RecordColumn<Row>]
  public let key: RecordKey<Row>

  /// - Parameters:
  ///   - description: for people who open the file with other programs.
  ///   - time: the column for time ranges and retention; nil if the store has a special rule for
  ///     the kind, or none.
  ///   - newest: the time of a row's last change in SQL, if it is not `time`.
  ///   - expiry: which old rows may be deleted, in SQL; nil: all of them.
  ///   - mostBytes: the limit of a value in a table that other programs also write, unless its
  ///     column declares one; nil: no other program writes it.
  public init(
    _ name: String, _ description: String, key: RecordKey<Row>, time: String? = nil,
    newest: String? = nil, expiry: String? = nil, mostBytes: Int? = nil,
    columns: [RecordColumn<Row>]
  ) {
    precondition(
      time.map { name in columns.contains { $0.layout.name == name } } ?? true,
      "\(name) has no column \(time ?? "")")
    self.columns = columns
    self.key = key
    layout = TableLayout(
      name: name, description: description, key: key.kind,
      columns: columns.map { $0.layout.holding(mostBytes) }, time: time,
      newest: newest ?? time, expiry: expiry)
  }
}

/// The structure of a table, without the meaning of its rows.
public struct TableLayout: Hashable, Sendable {
  /// The origin of a row's id.
  public enum Key: Hashable, Sendable {
    /// From the record: a later record replaces the earlier one with the same id.
    case given
    /// Numbered by the store.
    case counted
    /// The time in microseconds since 1970. Rows are in the order of time without an index, so that
    /// an insertion touches one page of the file. If the microsecond is taken, the next free one is
    /// used.
    case time
  }

  public let name: String
  public let description: String
  public let key: Key
  /// The columns after the id.
  public let columns: [ColumnLayout]
  public let positions: ColumnPositions
  public let time: String?
  public let newest: String?
  public let expiry: String?

  fileprivate init(
    name: String, description: String, key: Key, columns: [ColumnLayout], time: String?,
    newest: String?, expiry: String?
  ) {
    self.name = name
    self.description = description
    self.key = key
    self.columns = columns
    positions = ColumnPositions(columns.map(\.name))
    self.time = time
    self.newest = newest
    self.expiry = expiry
  }

  /// Where the geometry of a layer stands in a row, counted with the id; nil: the table is no
  /// layer.
  public var geometryColumn: Int32? {
    columns.firstIndex { $0.type.isGeometry }.map { Int32($0) + 1 }
  }

  /// The columns that a table of an older version may lack, in the order in which they were added.
  public var laterColumns: [ColumnLayout] { columns.filter { $0.step != nil } }

  /// Whether every row has a time, so that rows can be ordered by time.
  public var isAlwaysDated: Bool { columns.contains { $0.name == time && $0.isRequired } }
}

public struct ColumnLayout: Hashable, Sendable {
  /// SQL types, as named in OGC 12-128r18 table 1.
  public enum SQLType: String, Sendable {
    case integer = "INTEGER"
    case double = "DOUBLE"
    case text = "TEXT"
    /// Text in UTC.
    case time = "DATETIME"
    case flag = "BOOLEAN"
    case point = "POINT"
    case multiPolygon = "MULTIPOLYGON"

    public var isGeometry: Bool { self == .point || self == .multiPolygon }
  }

  /// The name ends in the unit.
  public let name: String
  public let type: SQLType
  /// A sentence for the manual.
  public let meaning: String
  /// The allowed words, if the column is an enumeration.
  public let words: [WordMeaning]
  public let isRequired: Bool
  /// The user owns this value: a later record with the same id does not change it.
  public fileprivate(set) var isUsers = false
  /// The step of the schema that added the column; nil: that of its table.
  public fileprivate(set) var step: String?
  /// Longer values are not read; nil: no limit.
  public fileprivate(set) var mostBytes: Int?

  /// Thirty times the limit of a place.
  private static let mostBytesOfGeometry = 10 << 20

  /// - Parameter bytes: the limit unless the column has its own; nil: no limit.
  fileprivate func holding(_ bytes: Int?) -> ColumnLayout {
    guard let bytes, mostBytes == nil else { return self }
    var column = self
    column.mostBytes = type.isGeometry ? Self.mostBytesOfGeometry : bytes
    return column
  }
}

/// One column, and a record's value in it.
public struct RecordColumn<Row>: Sendable {
  public private(set) var layout: ColumnLayout
  public let value: @Sendable (Row) -> StoredValue

  private init(
    _ name: String, _ type: ColumnLayout.SQLType, _ meaning: String, isRequired: Bool = true,
    words: [WordMeaning] = [], _ value: @escaping @Sendable (Row) -> StoredValue
  ) {
    layout = ColumnLayout(
      name: name, type: type, meaning: meaning, words: words, isRequired: isRequired)
    self.value = value
  }

  /// The user owns this value: a later record with the same id does not change it.
  public var ofUser: RecordColumn {
    var column = self
    column.layout.isUsers = true
    return column
  }

  /// Raises the length limit above that of the table's other columns.
  func holding(_ bytes: Int) -> RecordColumn {
    var column = self
    column.layout.mostBytes = bytes
    return column
  }

  /// The column was added to the schema after its table: it is null in earlier rows.
  func added(in step: String) -> RecordColumn {
    precondition(!layout.isRequired, "\(layout.name) is missing in the rows from before")
    var column = self
    column.layout.step = step
    return column
  }

  /// Makes the table a layer of points.
  public static func position(
    _ meaning: String, _ value: @escaping @Sendable (Row) -> Coordinate
  ) -> Self {
    Self("geom", .point, meaning) { .position(value($0)) }
  }

  /// Makes the table a layer of points, some of which have no position.
  static func optionalPosition(
    _ meaning: String, _ value: @escaping @Sendable (Row) -> Coordinate?
  ) -> Self {
    Self("geom", .point, meaning, isRequired: false) { value($0).map { .position($0) } ?? .null }
  }

  /// Makes the table a layer of polygons, some of which are not drawn yet.
  static func optionalPolygons(
    _ meaning: String, _ value: @escaping @Sendable (Row) -> [[[Coordinate]]]?
  ) -> Self {
    Self("geom", .multiPolygon, meaning, isRequired: false) {
      value($0).map { .polygons($0) } ?? .null
    }
  }

  public static func time(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> UTCInstant
  ) -> Self { Self(name, .time, meaning) { .time(value($0)) } }

  public static func optionalTime(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> UTCInstant?
  ) -> Self {
    Self(name, .time, meaning, isRequired: false) { value($0).map { .time($0) } ?? .null }
  }

  public static func quantity<Q: Quantity>(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Q
  ) -> Self { Self(name, .double, meaning) { .real(value($0).value) } }

  public static func optionalQuantity<Q: Quantity>(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Q?
  ) -> Self {
    Self(name, .double, meaning, isRequired: false) { value($0).map { .real($0.value) } ?? .null }
  }

  /// A number without a unit.
  public static func ratio(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Double
  ) -> Self { Self(name, .double, meaning) { .real(value($0)) } }

  /// In milliampere-hours.
  public static func charge(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Coulombs
  ) -> Self { Self(name, .double, meaning) { .real(value($0).milliampereHours) } }

  /// In milliampere-hours.
  public static func optionalCharge(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Coulombs?
  ) -> Self {
    Self(name, .double, meaning, isRequired: false) {
      value($0).map { .real($0.milliampereHours) } ?? .null
    }
  }

  public static func count(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Int
  ) -> Self { Self(name, .integer, meaning) { .integer(Int64(value($0))) } }

  /// The id of another record.
  public static func optionalInteger(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Int64?
  ) -> Self {
    Self(name, .integer, meaning, isRequired: false) { value($0).map { .integer($0) } ?? .null }
  }

  public static func flag(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Bool
  ) -> Self { Self(name, .flag, meaning) { .integer(value($0) ? 1 : 0) } }

  public static func optionalFlag(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Bool?
  ) -> Self {
    Self(name, .flag, meaning, isRequired: false) {
      value($0).map { .integer($0 ? 1 : 0) } ?? .null
    }
  }

  /// - Parameter words: the words that this version writes, if the column is an enumeration.
  public static func text(
    _ name: String, _ meaning: String, words: [WordMeaning] = [],
    _ value: @escaping @Sendable (Row) -> String
  ) -> Self { Self(name, .text, meaning, words: words) { .text(value($0)) } }

  public static func optionalText(
    _ name: String, _ meaning: String, words: [WordMeaning] = [],
    _ value: @escaping @Sendable (Row) -> String?
  ) -> Self {
    Self(name, .text, meaning, isRequired: false, words: words) {
      value($0).map { .text($0) } ?? .null
    }
  }

  /// A word of an enumeration.
  public static func word<Word: StoredWord>(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Word
  ) -> Self { Self(name, .text, meaning, words: Word.meanings) { .text(value($0).rawValue) } }

  /// A word of an enumeration, or null.
  public static func optionalWord<Word: StoredWord>(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Word?
  ) -> Self {
    Self(name, .text, meaning, isRequired: false, words: Word.meanings) {
      value($0).map { .text($0.rawValue) } ?? .null
    }
  }
}

/// The id of a row.
public struct RecordKey<Row>: Sendable {
  let kind: TableLayout.Key
  /// Nil: the store numbers the row.
  public let id: @Sendable (Row) -> Int64?

  public static func given(_ id: @escaping @Sendable (Row) -> Int64) -> Self {
    Self(kind: .given) { id($0) }
  }

  public static var counted: Self { Self(kind: .counted) { _ in nil } }

  public static func time(_ time: @escaping @Sendable (Row) -> UTCInstant) -> Self {
    Self(kind: .time) { time($0).wholeMicroseconds }
  }
}

/// The value of a column.
public enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case time(UTCInstant)
  case position(Coordinate)
  /// Polygons, each as rings, the outer one first, each as corners.
  case polygons([[[Coordinate]]])
}

extension UTCInstant {
  /// The whole microsecond that contains the instant, since 1970.
  public var wholeMicroseconds: Int64 {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
