import Core
import Records

/// The columns of a record in JSON, in the order of its table. Columns unknown to this version are
/// left out.
struct CollectedRow: StoredRow {
  private let id: Int64
  /// Without the id.
  private let values: [JSONValue]

  init(id: Int64, _ members: [(name: String, value: JSONValue)], _ table: TableLayout) {
    self.id = id
    let row = JSONValue.object(members)
    values = table.columns.map { row[$0.name] ?? .null }
  }

  private func value(_ column: Int32) -> JSONValue {
    let index = Int(column) - 1
    return values.indices.contains(index) ? values[index] : .null
  }

  func isNull(_ column: Int32) -> Bool { column > 0 && value(column) == .null }

  func integer(_ column: Int32) -> Int64? {
    if column == 0 { return id }
    return switch value(column) {
    case .number(let number): Int64(exactly: number)
    case .string(let text): Int64(text)
    default: nil
    }
  }

  func real(_ column: Int32) -> Double? {
    guard let number = value(column).number, number.isFinite else { return nil }
    return number
  }

  func text(_ column: Int32) -> String? { value(column).string }

  func time(_ column: Int32) -> UTCInstant? { value(column).string.flatMap { ISO8601.parse($0) } }

  func position(_ column: Int32) -> Coordinate? { Self.position(value(column)) }

  func polygons(_ column: Int32) -> [[[Coordinate]]]? {
    Self.all(value(column)) { Self.all($0) { Self.all($0, Self.position) } }
  }

  private static func position(_ json: JSONValue) -> Coordinate? {
    guard let pair = json.array, pair.count == 2, let longitude = pair[0].number,
      let latitude = pair[1].number, (-90...90).contains(latitude),
      (-180...180).contains(longitude)
    else { return nil }
    return Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
  }

  private static func all<Part>(_ json: JSONValue, _ read: (JSONValue) -> Part?) -> [Part]? {
    guard let items = json.array else { return nil }
    let parts = items.compactMap(read)
    return parts.count == items.count ? parts : nil
  }

  /// By the type of the column, whatever the record means.
  func value(_ index: Int32, of column: ColumnLayout) throws(DamagedColumn) -> StoredValue {
    if isNull(index) {
      guard !column.isRequired else { throw DamagedColumn(column: index) }
      return .null
    }
    let value: StoredValue? =
      switch column.type {
      case .integer, .flag: integer(index).map { .integer($0) }
      case .double: real(index).map { .real($0) }
      case .text: text(index).map { .text($0) }
      case .time: time(index).map { .time($0) }
      case .point: position(index).map { .position($0) }
      case .multiPolygon: polygons(index).map { .polygons($0) }
      }
    guard let value else { throw DamagedColumn(column: index) }
    return value
  }
}
