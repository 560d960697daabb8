import Ports
import Records

/// Reads rows of a table that people also write with other programs. A value longer than the limit
/// of its column is not even loaded: the row counts as unreadable, and the others are read.
struct BoundedRow {
  /// Columns with the same limit.
  private struct Part {
    let bytes: Int
    let columns: [String]
    /// Reads these columns of a row.
    let probe: Statement
  }

  private let connection: Connection
  private let table: String
  private let positions: ColumnPositions
  /// Those with the least bound first; without the last, which is that of the row.
  private var parts: [Part] = []
  private let last: Part

  /// Nil if no other program writes that table.
  /// - Parameter layout: of its columns; the table may be another one with the same columns.
  init?(_ connection: Connection, _ table: String, _ layout: TableLayout) throws(PortError) {
    let bounds = Set(layout.columns.compactMap(\.mostBytes)).sorted()
    guard let most = bounds.last else { return nil }
    self.connection = connection
    self.table = table
    positions = layout.positions
    func part(_ bytes: Int, _ given: [String]?) throws(PortError) -> Part {
      let columns = layout.columns.filter { $0.mostBytes == bytes }.map(\.name)
      let probe = try connection.prepareOnce(Self.query(given ?? columns, table))
      return Part(bytes: bytes, columns: columns, probe: probe)
    }
    for bytes in bounds.dropLast() { parts.append(try part(bytes, nil)) }
    last = try part(most, ["id"] + layout.columns.map(\.name))
  }

  private static func query(_ columns: [String], _ table: String) -> String {
    "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE id = ?1"
  }

  /// The row of that id; nil: there is none.
  /// - Throws: `corrupt` with table, id and column if it is invalid.
  func read<Row>(
    _ id: Int64, _ read: (RowReader) throws(DamagedColumn) -> Row
  ) throws(PortError) -> Row? {
    for part in parts {
      _ = try isThere(id, in: part)
      part.probe.reset()
    }
    // Nothing of it stays in memory.
    defer { last.probe.reset() }
    guard try isThere(id, in: last) else { return nil }
    return try last.probe.decoded(of: table, positions, read)
  }

  private func isThere(_ id: Int64, in part: Part) throws(PortError) -> Bool {
    part.probe.reset()
    part.probe.bind(1, id)
    if let isThere = try part.probe.step(fitting: part.bytes) { return isThere }
    throw .damagedRow(
      table, id: id, column: try tooLong(id, in: part), path: connection.name)
  }

  /// The first column with a too long value.
  private func tooLong(_ id: Int64, in part: Part) throws(PortError) -> String {
    for column in part.columns {
      let probe = try connection.prepareOnce(Self.query([column], table))
      probe.bind(1, id)
      if try probe.step(fitting: part.bytes) == nil { return column }
    }
    return part.columns.first ?? "id"
  }
}
