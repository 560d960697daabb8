/// The tables of the outbox.
enum OutboxSchema {
  static let kind = DatabaseFormat(
    .uplink, applicationID: DatabaseKind.uplinkID, pageSize: 1024, checkpointPages: 1024,
    cacheKilobytes: 256, isDurable: true,
    // For a command that reads, or adds a pause, while the service writes.
    patienceMilliseconds: 5000, additions: [exchanges, requests, passed]
  ) { (database) throws(Database.Failure) in try database.execute(messages) }

  /// The progress of a message, as in the column `state`.
  enum Progress: Int64 {
    case waiting = 0
    case handedOver = 1
    case received = 2
    case refused = 3
  }

  private static let messages = """
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

  /// Transports in back-off, the traffic of each, how often a recipient has failed at a message
  /// while others passed, and the times from which no records are sent.
  private static let exchanges = """
    ALTER TABLE outbox ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE holds (
      way TEXT PRIMARY KEY, failures INTEGER NOT NULL, until_s INTEGER NOT NULL,
      why TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE exchanges (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      time_s INTEGER NOT NULL,
      way TEXT NOT NULL,
      what TEXT NOT NULL,
      messages INTEGER NOT NULL,
      sent_bytes INTEGER NOT NULL,
      received_bytes INTEGER NOT NULL,
      note TEXT);
    CREATE INDEX exchanges_by_time ON exchanges (time_s);
    CREATE TABLE pauses (start_s INTEGER NOT NULL, end_s INTEGER NOT NULL);
    """

  /// Accepted remote requests, until they expire.
  private static let requests =
    "CREATE TABLE orders (id TEXT PRIMARY KEY, end_s INTEGER NOT NULL) WITHOUT ROWID;"

  /// A message that a collector refused used to keep its number, which the collector expects: now
  /// an empty message has it (`RefusedMessages.keep`), temporarily under a unique stream name.
  private static let passed = """
    INSERT INTO outbox (recipient, state, rank, layer, record, stream, sequence, topic,
      is_retained, payload, queued_s)
    SELECT recipient, 0, rank, layer, record, stream || ' ', sequence, topic, is_retained, x'',
      queued_s
    FROM outbox WHERE state = 3 AND sequence IS NOT NULL ORDER BY id;
    UPDATE outbox SET stream = NULL, sequence = NULL WHERE state = 3 AND sequence IS NOT NULL;
    UPDATE outbox SET stream = rtrim(stream) WHERE stream LIKE '% ';
    """
}
