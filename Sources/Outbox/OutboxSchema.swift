import SQLite

/// The tables of the outbox.
enum OutboxSchema {
  static let kind = OwnDatabase(
    .uplink, applicationID: DatabaseKind.uplinkID, version: 1, pageSize: 1024,
    checkpointPages: 1024, cacheKilobytes: 256, isDurable: true
  ) { (database) throws(Database.Failure) in try database.execute(sql) }

  /// How far a message has come, as the column `state` has it.
  enum Progress: Int64 {
    case waiting = 0
    case handedOver = 1
    case received = 2
    case refused = 3
  }

  private static let sql = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      recipient TEXT NOT NULL,
      state INTEGER NOT NULL,
      rank INTEGER NOT NULL,
      layer TEXT NOT NULL,
      record INTEGER NOT NULL,
      stream TEXT,
      sequence INTEGER,
      topic TEXT NOT NULL,
      is_retained INTEGER NOT NULL,
      payload BLOB NOT NULL,
      queued_s INTEGER NOT NULL,
      settled_s INTEGER,
      reason TEXT);
    CREATE INDEX outbox_by_state ON outbox (recipient, state, id);
    CREATE UNIQUE INDEX outbox_by_sequence ON outbox (stream, sequence)
      WHERE sequence IS NOT NULL;
    """
}
