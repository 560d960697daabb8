import Delivery
import Platform
import Ports
import Core
import Records

/// The records of many boards in a database with PostGIS, each exactly once: the counterpart of
/// `CollectionStore` with its GeoPackage.
///
/// The progress of a stream is kept in the database alone and is locked while a batch is stored, so
/// that several collectors may share one. A lost connection is opened anew, at once and then after
/// pauses. A batch whose commit was not confirmed is sent again, and stored only once.
public final class PostGISCollection: CollectionPort {
  public let name: String
  private let address: DatabaseAddress
  private let password: Secret?
  private let limits: DatabaseLimits
  private let now: () -> BootInstant
  private var connection: DatabaseConnection?
  /// Why there is no connection, and when the next attempt is due.
  private var absence: (failure: PortError, until: BootInstant)?
  private var pause: Seconds

  /// Connects, and makes the tables if there are none.
  public init(
    _ address: DatabaseAddress, password: Secret?, _ limits: DatabaseLimits = DatabaseLimits(),
    now: @escaping () -> BootInstant = { BootClock.now }
  ) throws(PortError) {
    name = address.description
    self.address = address
    self.password = password
    self.limits = limits
    self.now = now
    pause = limits.firstPause
    _ = try opened()
  }

  public func close() { connection = nil }

  private func opened() throws(PortError) -> DatabaseConnection {
    if let connection { return connection }
    // With the same text, so that it is reported once.
    if let absence, now() < absence.until { throw absence.failure }
    do throws(PortError) {
      let new = try connect()
      connection = new
      return new
    } catch {
      wait(after: error)
      throw error
    }
  }

  private func connect() throws(PortError) -> DatabaseConnection {
    let new: DatabaseConnection
    do throws(DatabaseFailure) {
      new = try DatabaseConnection(address, password: password, limits)
    } catch {
      throw error.storeError("connect to", name)
    }
    try CollectionPreparation(name, new).run()
    return new
  }

  /// Tries once more if the connection turns out to be lost: a restarted server may be back.
  private func withConnection<Result>(
    _ action: String,
    _ body: (DatabaseConnection) throws(DatabaseFailure) -> Result
  ) throws(PortError) -> Result {
    let first = try opened()
    do throws(DatabaseFailure) {
      return try body(first)
    } catch {
      guard error.isLost else { throw error.storeError(action, name) }
      connection = nil
    }
    let second = try opened()
    do throws(DatabaseFailure) {
      return try body(second)
    } catch {
      let failure = error.storeError(action, name)
      if error.isLost { wait(after: failure) }
      throw failure
    }
  }

  private func wait(after failure: PortError) {
    connection = nil
    absence = (failure, now() + pause)
    pause = min(pause * 2, limits.longestPause)
  }

  // MARK: Receiving

  public func store(
    _ batch: CollectedBatch, of device: String
  ) throws(PortError) -> CollectorReceipt {
    let receipt = try withConnection("write to") { connection throws(DatabaseFailure) in
      try connection.transaction { () throws(DatabaseFailure) in
        try Self.take(batch, of: device, connection)
      }
    }
    absence = nil
    pause = limits.firstPause
    return receipt
  }

  private static func take(
    _ batch: CollectedBatch, of device: String, _ connection: DatabaseConnection
  ) throws(DatabaseFailure) -> CollectorReceipt {
    var (id, progress) = try stream(batch.stream, of: device, connection)
    let new: [CollectedRecord]
    do throws(MessageProblem) {
      new = try progress.take(batch.records)
    } catch {
      throw DatabaseFailure("\(device) has sent \(error.reason)")
    }
    var dropped = 0
    for record in new {
      let owner = [device, String(record.record), batch.stream, String(record.sequence)]
      switch record.entry {
      case .dropped: dropped += 1
      case .withdrawn:
        if let layer = LayerStatements.byLayer[record.layer] {
          try connection.run(layer.removal, owner)
        }
        // The record may still arrive, if it was sent again.
        try connection.run(LayerStatements.withdrawal, owner + [record.layer])
      case .row(let layer, let values, let others):
        guard let statements = LayerStatements.byLayer[layer.name] else { continue }
        let columns = zip(values, layer.columns).map { $0.parameter(as: $1.type) }
        try connection.run(statements.row, owner + [others] + columns)
      case .other(let text):
        try connection.run(LayerStatements.other, owner + [record.layer, text])
      }
    }
    try advance(id, to: progress, dropped: dropped, connection)
    for record in new where progress.ahead.contains(record.sequence) {
      try connection.run(
        "INSERT INTO streams_ahead (stream_id, sequence) VALUES ($1::bigint, $2::bigint)",
        [id, String(record.sequence)])
    }
    return CollectorReceipt(stream: batch.stream, through: progress.through)
  }

  // MARK: Streams

  /// Its id and its progress here; the row is locked until the transaction ends.
  private static func stream(
    _ stream: String, of device: String, _ connection: DatabaseConnection
  ) throws(DatabaseFailure) -> (id: String, progress: StreamProgress) {
    let sql = """
      SELECT id, through FROM streams WHERE device = $1::text AND stream = $2::text FOR UPDATE
      """
    var rows = try connection.run(sql, [device, stream])
    if rows.isEmpty {
      try connection.run(
        """
        INSERT INTO streams (device, stream, through, dropped) VALUES ($1::text, $2::text, 0, 0)
        ON CONFLICT DO NOTHING
        """, [device, stream])
      rows = try connection.run(sql, [device, stream])
    }
    guard let row = rows.first, let id = row[0], let through = row[1].flatMap({ Int64($0) }) else {
      throw DatabaseFailure("the stream of \(device) is missing in the table streams")
    }
    let ahead = try connection.run(
      "SELECT sequence FROM streams_ahead WHERE stream_id = $1::bigint", [id])
    return (
      id,
      StreamProgress(through: through, ahead: Set(ahead.compactMap { $0[0].flatMap { Int64($0) } }))
    )
  }

  private static func advance(
    _ id: String, to progress: StreamProgress, dropped: Int, _ connection: DatabaseConnection
  ) throws(DatabaseFailure) {
    try connection.run(
      """
      UPDATE streams SET through = $2::bigint, dropped = dropped + $3::bigint WHERE id = $1::bigint
      """, [id, String(progress.through), String(dropped)])
    try connection.run(
      "DELETE FROM streams_ahead WHERE stream_id = $1::bigint AND sequence <= $2::bigint",
      [id, String(progress.through)])
  }

  public func receipts() throws(PortError) -> [(device: String, receipt: CollectorReceipt)] {
    try withConnection("read") { connection throws(DatabaseFailure) in
      try connection.run("SELECT device, stream, through FROM streams ORDER BY id").map { row in
        let through = row[2].flatMap { Int64($0) } ?? 0
        return (row[0] ?? "", CollectorReceipt(stream: row[1] ?? "", through: through))
      }
    }
  }
}
