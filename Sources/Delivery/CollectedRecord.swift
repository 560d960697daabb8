import Core
import Records

/// A record on its way from a board to a collector: the row in the board's store, with the names of
/// its columns and the number assigned by the board.
///
/// As JSON: `{"seq":12,"layer":"visits","id":3,"row":{"arrival":"2026-05-04T07:12:02.000Z",…}}`.
/// Columns without a value are left out; positions are `[longitude, latitude]` as in GeoJSON.
public struct CollectedRecord: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    case row([(name: String, value: JSONValue)])
    /// It was wrong, and is to be deleted.
    case withdrawn
    /// The board's outbox had no room to keep it.
    case dropped

    public static func == (a: Content, b: Content) -> Bool {
      switch (a, b) {
      case (.row(let x), .row(let y)): JSONValue.object(x) == .object(y)
      case (.withdrawn, .withdrawn), (.dropped, .dropped): true
      default: false
      }
    }
  }

  public let sequence: Int64
  public let layer: String
  /// The id in the table of that name.
  public let record: Int64
  let content: Content

  public init(sequence: Int64, layer: String, record: Int64, _ content: Content) {
    self.sequence = sequence
    self.layer = layer
    self.record = record
    self.content = content
  }

  public init(sequence: Int64, layer: String, record: Int64, _ row: some StoredRecord) {
    self.init(sequence: sequence, layer: layer, record: record, .row(Self.members(of: row)))
  }

  // MARK: Encoding

  private static func members<Row: StoredRecord>(
    of row: Row
  ) -> [(name: String, value: JSONValue)] {
    Row.table.columns.compactMap { column in
      json(column.value(row)).map { (column.layout.name, $0) }
    }
  }

  /// Nil: left out.
  private static func json(_ value: StoredValue) -> JSONValue? {
    switch value {
    case .null: nil
    // JSON's numbers are exact up to 2^53; larger ones are written as text.
    case .integer(let number):
      number.magnitude <= 1 << 53 ? .count(number) : .string(number.description)
    case .real(let number): number.isFinite ? .number(number) : nil
    case .text(let text): .string(text)
    case .time(let time): .string(ISO8601.text(time))
    case .position(let position): json(position)
    case .polygons(let polygons):
      .array(polygons.map { .array($0.map { .array($0.map(json)) }) })
    }
  }

  private static func json(_ position: Coordinate) -> JSONValue {
    .array([.number(position.longitude.value), .number(position.latitude.value)])
  }

  func write(to json: inout JSONWriter) {
    json.object {
      $0.field("seq", Int(sequence))
      $0.field("layer", layer)
      $0.field("id", .count(record))
      switch content {
      case .row(let members): $0.field("row", .object(members))
      case .withdrawn: $0.field("withdrawn", true)
      case .dropped: $0.field("dropped", true)
      }
    }
  }

  public var bytes: [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }

  // MARK: Decoding

  /// Whether it can be a table's or a column's name: these are used in SQL. Units have capitals.
  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Nil if it is invalid.
  public init?(_ json: JSONValue) {
    guard let sequence = json["seq"]?.integer, sequence > 0, let layer = json["layer"]?.string,
      Self.isName(layer), let record = json["id"]?.integer
    else { return nil }
    let content: Content
    if json["dropped"]?.bool == true {
      content = .dropped
    } else if json["withdrawn"]?.bool == true {
      content = .withdrawn
    } else if case .object(let members)? = json["row"],
      members.allSatisfy({ Self.isName($0.name) })
    {
      content = .row(members)
    } else {
      return nil
    }
    self.init(sequence: Int64(sequence), layer: layer, record: Int64(record), content)
  }

  /// The same record under another number; nil if it is invalid.
  public static func renumbered(_ bytes: [UInt8], _ sequence: Int64) -> [UInt8]? {
    guard let json = try? JSONValue(parsing: bytes), let record = CollectedRecord(json) else {
      return nil
    }
    return CollectedRecord(
      sequence: sequence, layer: record.layer, record: record.record, record.content
    ).bytes
  }

  /// The record itself, of a kind that this program supports.
  ///
  /// - Throws: which column is invalid.
  func row<Row: StoredRecord>(as kind: Row.Type) throws(DamagedColumn) -> Row? {
    guard layer == Row.layout.name, case .row(let members) = content else { return nil }
    return try Row(
      row: RowReader(
        CollectedRow(id: record, members, Row.layout), Row.layout.positions))
  }

  /// The values of a table's columns, without the id, and members without a column in this version.
  ///
  /// - Throws: which column is invalid.
  func values(
    of table: TableLayout
  ) throws(DamagedColumn) -> (columns: [StoredValue], others: [(name: String, value: JSONValue)]) {
    guard case .row(let members) = content else { return ([], []) }
    let row = CollectedRow(id: record, members, table)
    var values: [StoredValue] = []
    for (index, column) in table.columns.enumerated() {
      values.append(try row.value(Int32(index) + 1, of: column))
    }
    let known = Set(table.columns.map(\.name))
    return (values, members.filter { !known.contains($0.name) })
  }
}
