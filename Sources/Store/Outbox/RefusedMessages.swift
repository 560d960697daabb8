import Delivery

/// Messages refused by their recipient, or by a broker on the way: kept until they are queued
/// again, within the outbox's limit.
struct RefusedMessages {
  let database: Database

  func keep(_ number: Int64, because reason: String, at time: Int64) throws(Database.Failure) {
    try pass(number, at: time)
    let row = try database.prepared(
      """
      UPDATE outbox SET state = \(OutboxSchema.Progress.refused.rawValue), stream = NULL,
        sequence = NULL, settled_s = ?2, reason = ?3
      WHERE id = ?1 AND state < 2 AND (sequence IS NULL OR length(payload) > 0)
      """)
    row.bind(1, number)
    row.bind(2, time)
    row.bind(3, reason)
    try row.run()
  }

  /// A collector expects every number: an empty message under this one reports that nothing will
  /// come. A refused message gets another number when it is queued again.
  private func pass(_ number: Int64, at time: Int64) throws(Database.Failure) {
    let old = try database.prepared(
      """
      SELECT stream, sequence FROM outbox
      WHERE id = ?1 AND state < 2 AND sequence IS NOT NULL AND length(payload) > 0
      """)
    old.bind(1, number)
    guard try old.step(), let stream = old.text(0), let sequence = old.integer(1) else {
      return old.reset()
    }
    old.reset()
    let bare = try database.prepared(
      "UPDATE outbox SET stream = NULL, sequence = NULL WHERE id = ?1")
    bare.bind(1, number)
    try bare.run()
    let row = try database.prepared(
      """
      INSERT INTO outbox (recipient, state, rank, layer, record, stream, sequence, topic,
        is_retained, payload, queued_s)
      SELECT recipient, 0, rank, layer, record, ?2, ?3, topic, is_retained, x'', ?4
      FROM outbox WHERE id = ?1
      """)
    row.bind(1, number)
    row.bind(2, stream)
    row.bind(3, sequence)
    row.bind(4, time)
    try row.run()
  }

  /// A collector does not get an old state of a record again when it has a later one.
  func forgetOutdated() throws(Database.Failure) {
    try database.execute(
      """
      WITH newest AS (
        SELECT layer, record, max(id) AS id FROM outbox
        WHERE recipient = '\(Recipient.collector.rawValue)' AND length(payload) > 0
        GROUP BY layer, record)
      DELETE FROM outbox WHERE id IN (
        SELECT refused.id FROM outbox AS refused JOIN newest USING (layer, record)
        WHERE refused.recipient = '\(Recipient.collector.rawValue)' AND refused.state = 3
          AND newest.id > refused.id)
      """)
  }

  var hasAnyOfCollector: Bool {
    get throws(Database.Failure) {
      try database.integer(
        """
        SELECT 1 FROM outbox WHERE recipient = '\(Recipient.collector.rawValue)' AND state = 3
        LIMIT 1
        """) != nil
    }
  }

  /// Queues all of them again, each as it was.
  ///
  /// - Parameters:
  ///   - next: the next number of the collector's stream.
  /// - Returns: how many.
  func queueAgain(
    at time: Int64, _ next: () throws(Database.Failure) -> StreamNumber?
  ) throws(Database.Failure) -> Int {
    try forgetOutdated()
    var count = 0
    for id in try numbersOfCollector() {
      guard let number = try next() else { break }
      try renumber(id, number)
      count += 1
    }
    let others = try database.prepared(
      """
      UPDATE outbox SET state = 0, settled_s = NULL, reason = NULL, failures = 0, queued_s = ?1
      WHERE state = 3 AND recipient <> '\(Recipient.collector.rawValue)'
      """)
    others.bind(1, time)
    try others.run()
    return count + database.changes
  }

  private func numbersOfCollector() throws(Database.Failure) -> [Int64] {
    let rows = try database.prepared(
      """
      SELECT id FROM outbox WHERE recipient = '\(Recipient.collector.rawValue)' AND state = 3
      ORDER BY id
      """)
    defer { rows.reset() }
    var numbers: [Int64] = []
    while try rows.step() { numbers.append(rows.integer(0) ?? 0) }
    return numbers
  }

  private func renumber(_ id: Int64, _ number: StreamNumber) throws(Database.Failure) {
    let old = try database.prepared("SELECT payload FROM outbox WHERE id = ?1")
    old.bind(1, id)
    let payload = try old.step() ? old.blob(0) : []
    old.reset()
    let row = try database.prepared(
      """
      UPDATE outbox SET state = 0, settled_s = NULL, reason = NULL, failures = 0, stream = ?2,
        sequence = ?3, payload = ?4
      WHERE id = ?1
      """)
    row.bind(1, id)
    row.bind(2, number.stream)
    row.bind(3, number.number)
    // An invalid payload is reported as dropped.
    row.bind(4, CollectedRecord.renumbered(payload, number.number) ?? [])
    try row.run()
  }
}
