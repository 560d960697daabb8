import Ports
import Records

/// Messages between people, each identified by kind and name.
struct MessageTable {
  /// Only the latest of each name counts.
  static let indexes = """
    CREATE UNIQUE INDEX messages_name ON messages (kind, name);
    """

  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// In the order in which they were stored. `godwit store check` reports unreadable ones.
  func all() throws(PortError) -> [StoredMessage] {
    var rows = try RowCursor<StoredMessage>(connection, "ORDER BY id") { _ in }
    var remarks: [String] = []
    return try rows.readable(&remarks)
  }

  func apply(_ change: MessageChange, _ contents: inout Contents) throws(PortError) {
    for key in change.removed { try delete(key) }
    let writer = RecordWriter(connection)
    for message in change.stored {
      try delete(message.key)
      try writer.write(message.record, &contents)
    }
    for notice in change.notices { try writer.write(notice.record, &contents) }
  }

  private func delete(_ key: StoredMessage.Key) throws(PortError) {
    let statement = try connection.prepared(
      "DELETE FROM messages WHERE kind = ?1 AND name = ?2", doing: "write to")
    statement.bind(1, key.kind.rawValue)
    statement.bind(2, key.name)
    try statement.run()
  }
}

extension GeoPackageStore {
  public func messages() throws(PortError) -> [StoredMessage] {
    try MessageTable(connection).all()
  }

  public func changeMessages(
    since mark: Int64?, _ change: ([StoredMessage]?) -> MessageChange
  ) throws(PortError) {
    try self.change { (contents) throws(PortError) in
      let table = MessageTable(self.connection)
      let current = try self.editMark()
      let items = mark != nil && mark == current ? nil : try table.all()
      try table.apply(change(items), &contents)
    }
  }
}
