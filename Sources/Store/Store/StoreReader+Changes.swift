import Ports
import Records

extension StoreReader: ChangesPort {
  public var name: String { connection.name }

  public func changeLogEnd() throws(PortError) -> ChangeLogPosition? {
    guard let log = try connection.meta(.changeLog) else { return nil }
    let last = try connection.integer(
      "SELECT seq FROM sqlite_sequence WHERE name = '\(ChangeSchema.table)'")
    return ChangeLogPosition(log: log, opening: try openings().last, change: last ?? 0)
  }

  public func continues(from position: ChangeLogPosition) throws(PortError) -> Bool {
    guard let end = try changeLogEnd() else { return false }
    let isKnown = try position.opening.map(openings().contains) ?? true
    return end.log == position.log && isKnown && end.change >= position.change
  }

  private func openings() throws(PortError) -> [UInt32] {
    OpeningMarks.words(try connection.meta(.openings))
  }

  public func changes(
    after number: Int64, atMost most: Int
  ) throws(PortError) -> [RecordChange] {
    let statement = try connection.prepareOnce(
      """
      SELECT id, layer, record, is_withdrawn FROM \(ChangeSchema.table)
      WHERE id > ?1 ORDER BY id LIMIT ?2
      """)
    statement.bind(1, number)
    statement.bind(2, Int64(most))
    var changes: [RecordChange] = []
    while try statement.step() {
      guard let layer = statement.text(1), let record = statement.integer(2) else { continue }
      changes.append(
        RecordChange(
          number: statement.id, layer: layer, record: record,
          isWithdrawal: statement.integer(3) == 1))
    }
    return changes
  }

  public func record(_ id: Int64, of layer: String) throws(PortError) -> (any StoredRecord)? {
    guard let kind = Record.ofBoard.first(where: { $0.layout.name == layer }) else {
      return nil
    }
    return try row(id, of: kind)
  }

  public func places(called name: String) throws(PortError) -> [PlaceRow] {
    var cursor = try PlaceCursor(connection, "WHERE name = ?1 OR uuid = ?1 ORDER BY id") {
      $0.bind(1, name)
    }
    var rows: [PlaceRow] = []
    while let row = try cursor.next() { rows.append(row) }
    return rows
  }

  private func row<Row: StoredRecord>(
    _ id: Int64, of kind: Row.Type
  ) throws(PortError) -> (any StoredRecord)? {
    var rows = try RowCursor<Row>(connection, "WHERE id = ?1") { $0.bind(1, id) }
    return try rows.next()
  }
}

extension GeoPackageStore {
  /// Begins to log changes, or stops and deletes the log.
  func keepChangeLog(_ keeps: Bool, named name: UInt32) throws(PortError) {
    let isKept = try connection.meta(.changeLog) != nil
    guard isKept != keeps else { return }
    try connection.transaction { () throws(PortError) in
      if keeps {
        try connection.setMeta(.changeLog, String(name, radix: 16))
      } else {
        try connection.forgetChangeLog()
      }
    }
  }
}

extension Connection {
  func forgetChangeLog() throws(PortError) {
    try execute(
      """
      DELETE FROM meta WHERE key = '\(MetaKey.changeLog.rawValue)';
      DELETE FROM \(ChangeSchema.table);
      """, doing: "write to")
  }
}
