import Delivery
import Core

/// The activity log, as a table of the outbox.
struct ExchangeTable {
  /// Rows; with one connection per minute it is a week.
  private static let most = 10_000

  let database: Database

  func add(_ exchange: Exchange) throws(Database.Failure) {
    let row = try database.prepared(
      """
      INSERT INTO exchanges (time_s, way, what, messages, sent_bytes, received_bytes, note)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    row.bind(1, OutboxFile.seconds(exchange.time))
    row.bind(2, exchange.transport.name)
    row.bind(3, exchange.kind.rawValue)
    row.bind(4, Int64(exchange.messages))
    row.bind(5, Int64(exchange.sentBytes))
    row.bind(6, Int64(exchange.receivedBytes))
    row.bind(7, exchange.note)
    try row.run()
  }

  /// The newest exchanges, in ascending order of time.
  func newest(atMost most: Int) throws(Database.Failure) -> [Exchange] {
    let row = try database.prepared(
      """
      SELECT time_s, way, what, messages, sent_bytes, received_bytes, note FROM exchanges
      ORDER BY id DESC LIMIT ?1
      """)
    row.bind(1, Int64(most))
    defer { row.reset() }
    var exchanges: [Exchange] = []
    while try row.step() {
      guard let way = row.text(1).flatMap(UplinkTransport.init(name:)),
        let kind = row.text(2).flatMap(Exchange.Kind.init(rawValue:))
      else { continue }
      exchanges.append(
        Exchange(
          kind, over: way, at: UTCInstant(seconds: Double(row.integer(0) ?? 0)),
          messages: Int(row.integer(3) ?? 0), sentBytes: Int(row.integer(4) ?? 0),
          receivedBytes: Int(row.integer(5) ?? 0), note: row.text(6) ?? ""))
    }
    return exchanges.reversed()
  }

  /// Bytes sent and received since that time.
  func bytes(since time: UTCInstant) throws(Database.Failure) -> Int {
    let row = try database.prepared(
      "SELECT sum(sent_bytes + received_bytes) FROM exchanges WHERE time_s >= ?1")
    row.bind(1, OutboxFile.seconds(time))
    defer { row.reset() }
    return try row.step() ? Int(row.integer(0) ?? 0) : 0
  }

  /// Deletes older exchanges, and the oldest beyond the limit.
  func tidy(before time: UTCInstant) throws(Database.Failure) {
    let row = try database.prepared(
      """
      DELETE FROM exchanges WHERE time_s < ?1
        OR id <= (SELECT max(id) FROM exchanges) - \(Self.most)
      """)
    row.bind(1, OutboxFile.seconds(time))
    try row.run()
  }
}
