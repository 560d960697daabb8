import Delivery
import Core
import Records

/// The messages of the outbox that wait to be sent.
struct WaitingItems {
  private static let columns =
    "id, rank, layer, record, stream, sequence, topic, is_retained, payload, failures"

  let database: Database

  func items(
    for recipient: Recipient, rank: OutboxItem.Rank?, after number: Int64, atMost most: Int
  ) throws(Database.Failure) -> [OutboxItem] {
    let row = try database.prepared(
      """
      SELECT \(Self.columns) FROM outbox
      WHERE recipient = ?1 AND state = 0 AND id > ?2 AND rank <= ?4 ORDER BY id LIMIT ?3
      """)
    row.bind(4, (rank ?? .usual).rawValue)
    row.bind(1, recipient.rawValue)
    row.bind(2, number)
    row.bind(3, Int64(most))
    defer { row.reset() }
    var items: [OutboxItem] = []
    while try row.step() { items.append(Self.item(row, recipient)) }
    return items
  }

  func newestRetained(for recipient: Recipient) throws(Database.Failure) -> OutboxItem? {
    let row = try database.prepared(
      """
      SELECT \(Self.columns) FROM outbox
      WHERE recipient = ?1 AND state = 0 AND is_retained = 1 ORDER BY id DESC LIMIT 1
      """)
    row.bind(1, recipient.rawValue)
    defer { row.reset() }
    return try row.step() ? Self.item(row, recipient) : nil
  }

  private static func item(_ row: DatabaseStatement, _ recipient: Recipient) -> OutboxItem {
    var sequence: StreamNumber?
    if let stream = row.text(4), let number = row.integer(5) {
      sequence = StreamNumber(stream: stream, number: number)
    }
    return OutboxItem(
      number: row.integer(0) ?? 0, to: recipient, layer: row.text(2) ?? "",
      record: row.integer(3) ?? 0,
      rank: row.integer(1).flatMap { OutboxItem.Rank(rawValue: $0) } ?? .usual,
      sequence: sequence, topic: row.text(6) ?? "", isRetained: row.integer(7) == 1,
      payload: row.blob(8), failures: Int(row.integer(9) ?? 0))
  }
}
