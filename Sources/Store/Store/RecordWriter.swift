import Ports
import Core
import Records

/// Writes records into the tables declared by their kinds.
struct RecordWriter {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  func write(_ record: Record, _ contents: inout Contents) throws(PortError) {
    switch record.request {
    case .keep(let row): try keep(row, &contents)
    case .deleteCoarsePoint(let time): try deleteCoarsePoint(at: time)
    case .deleteVisit(let id): try deleteVisit(id)
    case .deleteDestination(let id): try deleteDestination(id)
    case .disableAlert(let id): try disableAlert(id)
    case .forgetPlaceEdits(let id): try forgetPlaceEdits(upTo: id)
    case .remember(let what, let text): try connection.setMeta(MetaKey(what), text)
    }
  }

  private func keep<Row: StoredRecord>(
    _ row: Row, _ contents: inout Contents
  ) throws(PortError) {
    let table = Row.table
    let name = table.layout.name
    guard let sql = Self.insertions[name] else { preconditionFailure("\(name) is in no step") }
    let insertion = try statement(sql)
    insertion.bind(1, table.key.id(row))
    for (index, column) in table.columns.enumerated() {
      let value = column.value(row)
      insertion.bind(Int32(index) + 2, value)
      for position in value.positions { contents.include(position, in: name) }
    }
    try insertion.run()
    // A row that is silently dropped, for example by a trigger, must not be counted.
    guard connection.changes == 1 else {
      throw .failed(
        "the store \(connection.name) has not kept a row of \(name): a part of it discards rows "
          + "silently; see `godwit store check --store \(connection.path)`")
    }
    contents.changed(name, at: row.lastChange)
  }

  private static let insertions = Dictionary(
    uniqueKeysWithValues: Table.ofRecords.compactMap(\.layout).map { ($0.name, insertion($0)) })

  /// The first parameter is the id, and the columns follow.
  private static func insertion(_ table: TableLayout) -> String {
    let name = table.name
    // By name: other programs may have added columns.
    let into = "INTO \(name) (id\(table.columns.map { ", \($0.name)" }.joined()))"
    let columns = table.columns.indices.map { ", ?\($0 + 2)" }.joined()
    switch table.key {
    case .counted: return "INSERT \(into) VALUES (?1\(columns))"
    case .time:
      return """
        INSERT OR REPLACE \(into) VALUES (
          coalesce((SELECT max(id) + 1 FROM \(name) WHERE id BETWEEN ?1 AND ?1 + 999), ?1)
          \(columns))
        """
    case .given where table.columns.contains(where: \.isUsers):
      let taken = table.columns.filter { !$0.isUsers }.map { "\($0.name) = excluded.\($0.name)" }
      return """
        INSERT \(into) VALUES (?1\(columns))
        ON CONFLICT (id) DO UPDATE SET \(taken.joined(separator: ", "))
        """
    case .given: return "INSERT OR REPLACE \(into) VALUES (?1\(columns))"
    }
  }

  private func statement(_ sql: String) throws(PortError) -> Statement {
    try connection.prepared(sql, doing: "write to")
  }

  private func deleteCoarsePoint(at time: UTCInstant) throws(PortError) {
    try withdraw(
      from: TrackPoint.layout,
      where: "id BETWEEN ?1 AND ?1 + 999 AND time = ?2 AND reason = 'coarse'"
    ) {
      $0.bind(1, time.wholeMicroseconds)
      $0.bind(2, time)
    }
  }

  private func deleteDestination(_ id: Int64) throws(PortError) {
    try withdraw(
      from: Destination.layout, where: "id = ?1 AND coalesce(label, '') = ''"
    ) { $0.bind(1, id) }
    let row = try statement(
      "UPDATE destinations SET visit_count = 0, total_dwell_s = 0 WHERE id = ?1")
    row.bind(1, id)
    try row.run()
  }

  private func disableAlert(_ id: Int64) throws(PortError) {
    let row = try statement("UPDATE alerts SET is_enabled = 0 WHERE id = ?1")
    row.bind(1, id)
    try row.run()
  }

  private func forgetPlaceEdits(upTo id: Int64) throws(PortError) {
    let row = try statement("DELETE FROM \(PlaceEditSchema.table) WHERE id <= ?1")
    row.bind(1, id)
    try row.run()
  }

  private func deleteVisit(_ id: Int64) throws(PortError) {
    try withdraw(from: Visit.layout, where: "id = ?1") { $0.bind(1, id) }
  }

  /// Deletes wrong rows, and logs that for recipients that have them.
  private func withdraw(
    from table: TableLayout, where condition: String, bind: (Statement) -> Void
  ) throws(PortError) {
    for sql in [
      ChangeSchema.withdrawal(from: table.name, where: condition),
      "DELETE FROM \(table.name) WHERE \(condition)",
    ] {
      let row = try statement(sql)
      bind(row)
      try row.run()
    }
  }
}
