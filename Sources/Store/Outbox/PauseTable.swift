import Delivery
import Core

/// The times from which no records are sent, as a table of the outbox.
struct PauseTable {
  let database: Database

  func all() throws(Database.Failure) -> [UplinkPause] {
    let row = try database.prepared("SELECT start_s, end_s FROM pauses ORDER BY start_s")
    defer { row.reset() }
    var pauses: [UplinkPause] = []
    while try row.step() {
      pauses.append(
        UplinkPause(
          from: UTCInstant(seconds: Double(row.integer(0) ?? 0)),
          to: UTCInstant(seconds: Double(row.integer(1) ?? 0))))
    }
    return pauses
  }

  func add(_ pause: UplinkPause) throws(Database.Failure) {
    let row = try database.prepared("INSERT INTO pauses (start_s, end_s) VALUES (?1, ?2)")
    row.bind(1, OutboxFile.seconds(pause.start))
    row.bind(2, OutboxFile.seconds(pause.end))
    try row.run()
  }

  /// Ends the pauses that are active then, and deletes later ones.
  func end(at time: UTCInstant) throws(Database.Failure) {
    let row = try database.prepared("UPDATE pauses SET end_s = ?1 WHERE end_s > ?1")
    row.bind(1, OutboxFile.seconds(time))
    try row.run()
    try database.execute("DELETE FROM pauses WHERE end_s <= start_s")
  }
}
