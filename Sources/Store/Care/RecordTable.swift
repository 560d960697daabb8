import Ports
import Quantities

/// A table of records: all its columns in the order in which its reader takes them, and the reader
/// itself, which tells a row that can be understood from one that cannot.
struct RecordTable: Sendable {
  let table: Table
  /// A query of every row, without order.
  let select: String
  /// - Throws: `corrupt` with table, id and column.
  let read: @Sendable (RowReader) throws(StoreError) -> Void
  /// The time of the newest record, for the description of the layer; nil when rows have none.
  let newest: String?

  static let all: [RecordTable] = [
    RecordTable(
      table: .destinations, select: Rows.destination,
      read: { (row) throws(StoreError) in _ = try Rows.destination(row) }, newest: nil),
    RecordTable(
      table: .visits, select: Rows.visit,
      read: { (row) throws(StoreError) in _ = try Rows.visit(row) },
      newest: "coalesce(departure, arrival)"),
    RecordTable(
      table: .trackPoints, select: Rows.trackPoint,
      read: { (row) throws(StoreError) in _ = try Rows.trackPoint(row) }, newest: "time"),
    RecordTable(
      table: .sessions, select: Rows.session,
      read: { (row) throws(StoreError) in _ = try Rows.session(row) },
      newest: "coalesce(power_off, power_on)"),
    RecordTable(
      table: .coarse, select: Rows.coarse,
      read: { (row) throws(StoreError) in _ = try Rows.coarse(row) }, newest: "time"),
    RecordTable(
      table: .segments, select: Rows.segment,
      read: { (row) throws(StoreError) in _ = try Rows.segment(row) }, newest: "start"),
    RecordTable(
      table: .events, select: Rows.event,
      read: { (row) throws(StoreError) in _ = try Rows.event(row) }, newest: "time"),
    RecordTable(
      table: .meta, select: "SELECT id, key, value FROM meta",
      read: { (row) throws(StoreError) in
        _ = try row.text(1)
        _ = try row.text(2)
      }, newest: nil),
  ]
}
