import Ports
import Records

/// Changes the alerts of a store. Each call is a transaction of its own.
public struct AlertEditor {
  private let store: GeoPackageStore

  public init(_ store: GeoPackageStore) { self.store = store }

  /// Inserts an alert under a new number.
  /// - Returns: the number.
  public func add(_ alert: StoredAlert) throws(PortError) -> Int64 {
    var alert = alert
    try store.change { (contents) throws(PortError) in
      let last = try store.lastIdentifier(in: StoredAlert.layout)
      guard last < RecordIdentifier.highest else {
        throw .failed("an alert has the highest possible number: change it")
      }
      if alert.isEnabled ?? true { try EnabledAlerts.requireRoom(in: store.connection) }
      alert.id = last + 1
      try RecordWriter(store.connection).write(alert.record, &contents)
    }
    return alert.id
  }

  /// - Parameter row: as it was read.
  /// - Throws: `busy` if it was changed or removed since.
  public func replace(_ row: StoredAlert, with new: StoredAlert) throws(PortError) {
    try store.change { (contents) throws(PortError) in
      try requireUnchanged(row)
      if new.isEnabled ?? true, !(row.isEnabled ?? true) {
        try EnabledAlerts.requireRoom(in: store.connection)
      }
      try RecordWriter(store.connection).write(new.record, &contents)
    }
  }

  /// - Parameter row: as it was read.
  /// - Throws: `busy` if it was changed or removed since.
  public func remove(_ row: StoredAlert) throws(PortError) {
    try store.change { (contents) throws(PortError) in
      try requireUnchanged(row)
      let statement = try store.connection.prepared(
        "DELETE FROM alerts WHERE id = ?1", doing: "write to")
      statement.bind(1, row.id)
      try statement.run()
    }
  }

  private func requireUnchanged(_ row: StoredAlert) throws(PortError) {
    var rows = try RowCursor<StoredAlert>(store.connection, "WHERE id = ?1") { $0.bind(1, row.id) }
    guard try rows.next() == row else {
      throw .busy("the alert was changed meanwhile: check it, and run the command again")
    }
  }
}
