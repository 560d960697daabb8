/// Deletes rows, so that the outbox is bounded.
struct OutboxCleanup {
  let database: Database

  /// No record is as long as this. It is held in memory several times while it is sent: because of
  /// a damaged row the service would exceed its memory limit and be killed at every run.
  private static let longestPayload = 8 << 20

  func deleteReceived(before seconds: Int64) throws(Database.Failure) {
    let old = try database.prepared("DELETE FROM outbox WHERE state = 2 AND settled_s < ?1")
    old.bind(1, seconds)
    try old.run()
  }

  /// Waiting and refused messages together; refused ones are dropped first.
  ///
  /// - Returns: how many of both are dropped.
  func drop(beyond most: Int) throws(Database.Failure) -> Int {
    let counted = "state <> 2 AND length(payload) > 0"
    let tooLong = try drop("state <> 2 AND length(payload) > \(Self.longestPayload)", atMost: -1)
    let kept = try database.integer("SELECT count(*) FROM outbox WHERE \(counted)") ?? 0
    guard kept > most else { return tooLong }
    return try tooLong + drop(counted, atMost: kept - Int64(most))
  }

  /// - Parameter most: -1 for all.
  private func drop(_ condition: String, atMost most: Int64) throws(Database.Failure) -> Int {
    let excess = try database.prepared(
      """
      SELECT id, sequence FROM outbox WHERE \(condition)
      ORDER BY state = 3 DESC, rank DESC, id LIMIT ?1
      """)
    excess.bind(1, most)
    var ids: [(id: Int64, isNumbered: Bool)] = []
    while try excess.step() {
      ids.append((excess.integer(0) ?? 0, excess.integer(1) != nil))
    }
    excess.reset()
    for (id, isNumbered) in ids {
      // A collector expects every number: an empty message reports that the record will not come.
      let row = try database.prepared(
        isNumbered
          ? "UPDATE outbox SET payload = x'' WHERE id = ?1" : "DELETE FROM outbox WHERE id = ?1")
      row.bind(1, id)
      try row.run()
    }
    return ids.count
  }
}
