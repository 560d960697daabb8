import Delivery
import Core

/// Ids of valid remote requests, as a table of the outbox: each is executed once.
struct RequestIDTable {
  /// Rows. More than an hour of continuous requests.
  static let most: Int64 = 5000

  let database: Database

  /// - Returns: whether this id is new.
  func add(_ id: String, until end: UTCInstant, at time: UTCInstant) throws(Database.Failure)
    -> Bool
  {
    let old = try database.prepared("DELETE FROM orders WHERE end_s < ?1")
    old.bind(1, OutboxFile.seconds(time))
    try old.run()
    let row = try database.prepared("INSERT OR IGNORE INTO orders (id, end_s) VALUES (?1, ?2)")
    row.bind(1, id)
    row.bind(2, OutboxFile.seconds(end))
    try row.run()
    guard database.changes > 0 else { return false }
    let excess = try database.prepared(
      """
      DELETE FROM orders
      WHERE id IN (SELECT id FROM orders ORDER BY end_s DESC LIMIT -1 OFFSET ?1)
      """)
    excess.bind(1, Self.most)
    try excess.run()
    return true
  }

  func remove(_ id: String) throws(Database.Failure) {
    let row = try database.prepared("DELETE FROM orders WHERE id = ?1")
    row.bind(1, id)
    try row.run()
  }
}
