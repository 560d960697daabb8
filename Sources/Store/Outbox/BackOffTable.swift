import Delivery
import Core

/// Transports in back-off, as a table of the outbox.
struct BackOffTable {
  let database: Database

  func all() throws(Database.Failure) -> [UplinkTransport: TransportBackOff] {
    let row = try database.prepared("SELECT way, failures, until_s, why FROM holds")
    defer { row.reset() }
    var holds: [UplinkTransport: TransportBackOff] = [:]
    while try row.step() {
      guard let way = row.text(0).flatMap(UplinkTransport.init(name:)) else { continue }
      holds[way] = TransportBackOff(
        failures: Int(row.integer(1) ?? 1),
        until: UTCInstant(seconds: Double(row.integer(2) ?? 0)), why: row.text(3) ?? "")
    }
    return holds
  }

  /// - Parameter hold: nil: the transport works.
  func set(_ hold: TransportBackOff?, for way: UplinkTransport) throws(Database.Failure) {
    guard let hold else {
      let row = try database.prepared("DELETE FROM holds WHERE way = ?1")
      row.bind(1, way.name)
      return try row.run()
    }
    let row = try database.prepared(
      "INSERT OR REPLACE INTO holds (way, failures, until_s, why) VALUES (?1, ?2, ?3, ?4)")
    row.bind(1, way.name)
    row.bind(2, Int64(hold.failures))
    row.bind(3, OutboxFile.seconds(hold.until))
    row.bind(4, hold.why)
    try row.run()
  }
}
