import Delivery
import Ports
import Core
import Records

/// The records of many boards in one GeoPackage, each exactly once.
///
/// A board sends again what is not acknowledged, and brokers deliver twice: a record that is here
/// by its stream and number is not stored again. A board with a restored store begins another
/// stream with its records: a record that is here already, equal in all its columns, is not
/// duplicated.
public final class CollectionStore: CollectionPort {
  public let name: String
  private let connection: Connection
  private var fileMonitor: StoreFileMonitor?
  private var contents: Contents
  private var streams: [Key: Stream] = [:]

  private struct Key: Hashable {
    let device: String
    let stream: String
  }

  private struct Stream {
    let id: Int64
    var progress: StreamProgress
  }

  /// Opens the file, or creates it if there is none.
  ///
  /// - Parameter lock: held until the file is closed; with it, deleting, moving or replacing the
  ///   file meanwhile is detected.
  public init(path: String, lock: StoreLock? = nil) throws(PortError) {
    name = path
    connection = try Connection(path: path, access: .readWriteCreating, lock: lock)
    do {
      try Self.prepare(connection)
      contents = try Contents(of: connection)
      if let lock {
        fileMonitor = try StoreFileMonitor(path: path, main: connection.fileName, lock: lock)
      }
    } catch {
      connection.close()
      throw error
    }
  }

  private static func prepare(_ connection: Connection) throws(PortError) {
    let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    let isOurs = tables == 0 ? true : try isOne(connection)
    guard isOurs else {
      throw .failed(
        "\(connection.name) is not a collection of Godwit; nothing was changed: choose another "
          + "file with --store")
    }
    try guardSchema(of: connection)
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -2048;
      PRAGMA mmap_size = 0
      """, doing: "open")
    guard tables == 0 else { return }
    try connection.transaction { () throws(PortError) in
      try connection.execute(CollectionSchema.sql, doing: "open")
    }
    // Programs that read the main file alone, as GDAL does, find a GeoPackage now.
    _ = try connection.checkpoint()
  }

  /// Adds the columns that a collection of an older version lacks, and refuses an untrusted schema.
  private static func guardSchema(of connection: Connection) throws(PortError) {
    let additions = try CollectionSchema.additions(to: connection)
    guard !additions.isEmpty else { return try connection.guardSchema(compare) }
    // In one transaction, so that a file that is refused all the same stays as it was.
    try connection.transaction { () throws(PortError) in
      try connection.execute(additions.joined(separator: "\n"), doing: "bring up to date")
      try connection.guardSchema(compare)
    }
  }

  private static func compare(_ connection: Connection) throws(PortError) {
    guard try !connection.schemaEntries().isEmpty else { return }
    let model = try Connection(path: ":memory:", access: .draft)
    defer { model.close() }
    try model.execute(CollectionSchema.sql, doing: "open")
    try SchemaComparison(of: connection, beside: SchemaModel(model))
      .refuse(forReading: false, in: .collection)
  }

  private static func isOne(_ connection: Connection) throws(PortError) -> Bool {
    guard try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'") != nil
    else { return false }
    if let objection = try Migration.objection(in: connection) {
      throw objection.refusal(connection.name, in: .collection)
    }
    return try connection.integer(
      "SELECT 1 FROM migrations WHERE name = '\(CollectionSchema.step)'") != nil
  }

  deinit { close() }

  /// Updates the layers' descriptions, and closes the file.
  public func close() {
    guard (try? verify()) != nil else { return }
    isClosed = true
    try? connection.transaction { () throws(PortError) in
      try contents.write(to: connection, closing: true)
    }
    connection.close()
  }

  private var isClosed = false

  /// Closes the file if it is no longer the one at its path.
  private func verify() throws(PortError) {
    guard !isClosed else {
      throw .failed("cannot write to the collection \(name): it is closed; open it again")
    }
    guard let fileMonitor,
      let event = try fileMonitor.check(isSound: { () throws(PortError) in try connection.isSound()
      })
    else { return }
    let message = try fileMonitor.abandon(connection, after: event)
    isClosed = true
    throw .moved("\(message); restart godwit collect")
  }

  // MARK: Receiving

  public func store(
    _ batch: CollectedBatch, of device: String
  ) throws(PortError) -> CollectorReceipt {
    try verify()
    let key = Key(device: device, stream: batch.stream)
    var stream = try known(key)
    let new: [CollectedRecord]
    do throws(MessageProblem) {
      new = try stream.progress.take(batch.records)
    } catch {
      throw .failed("\(device) has sent \(error.reason)")
    }
    var changed = contents
    try connection.transaction { () throws(PortError) in
      for record in new { try put(record, key, stream.id, &changed) }
      try advance(stream)
      for record in new where stream.progress.ahead.contains(record.sequence) {
        try note(record.sequence, of: stream.id)
      }
      try changed.write(to: connection, closing: false)
    }
    // Records written into a file that has lost its name must not count as received.
    try verify()
    contents = changed
    streams[key] = stream
    return CollectorReceipt(stream: batch.stream, through: stream.progress.through)
  }

  private func put(
    _ record: CollectedRecord, _ key: Key, _ id: Int64, _ contents: inout Contents
  ) throws(PortError) {
    switch record.entry {
    case .dropped:
      let row = try statement("UPDATE streams SET dropped = dropped + 1 WHERE id = ?1")
      row.bind(1, id)
      try row.run()
    case .withdrawn: try withdraw(record, key)
    case .other(let text): try keep(text, of: record, key)
    case .row(let layer, let values, let others):
      try insert(values, others, of: record, key, into: layer)
      for position in values.flatMap(\.positions) { contents.include(position, in: layer.name) }
    }
  }

  private func insert(
    _ values: [StoredValue], _ others: String?, of record: CollectedRecord, _ key: Key,
    into layer: TableLayout
  ) throws(PortError) {
    // ?1 to ?5 are the origin and the values without a column.
    let columns = layer.columns.enumerated()
    let names = layer.columns.map(\.name).joined(separator: ", ")
    let same = columns.map { "\($1.name) IS ?\($0 + 6)" }.joined(separator: " AND ")
    let earlier = try statement(
      """
      DELETE FROM \(layer.name) WHERE device = ?1 AND record = ?2
        AND (stream = ?3 AND sequence < ?4 OR stream <> ?3 AND other IS ?5 AND \(same))
      """)
    let new = try statement(
      """
      INSERT OR IGNORE INTO \(layer.name)
        (device, record, stream, sequence, other, \(names))
      SELECT ?1, ?2, ?3, ?4, ?5, \(columns.map { "?\($0.offset + 6)" }.joined(separator: ", "))
      WHERE NOT EXISTS (SELECT 1 FROM withdrawn_records WHERE layer = '\(layer.name)'
        AND device = ?1 AND record = ?2 AND stream = ?3 AND sequence > ?4)
      """)
    for row in [earlier, new] {
      bind(record, key, row)
      row.bind(5, others)
      for (index, value) in values.enumerated() { row.bind(Int32(index) + 6, value) }
      try row.run()
    }
  }

  private func keep(
    _ text: String, of record: CollectedRecord, _ key: Key
  ) throws(PortError) {
    let row = try statement(
      """
      INSERT INTO other_records (device, record, stream, sequence, other, layer)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (layer, device, record, stream) DO UPDATE
      SET sequence = excluded.sequence, other = excluded.other WHERE sequence < excluded.sequence
      """)
    bind(record, key, row)
    row.bind(5, text)
    row.bind(6, record.layer)
    try row.run()
  }

  private func withdraw(_ record: CollectedRecord, _ key: Key) throws(PortError) {
    if CollectionEntry.layers.contains(where: { $0.name == record.layer }) {
      let rows = try statement(
        """
        DELETE FROM \(record.layer)
        WHERE device = ?1 AND record = ?2 AND (stream <> ?3 OR sequence < ?4)
        """)
      bind(record, key, rows)
      try rows.run()
    }
    // The record may still arrive, if it was sent again.
    let row = try statement(
      """
      INSERT INTO withdrawn_records (device, record, stream, sequence, layer)
      VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (layer, device, record, stream) DO UPDATE
      SET sequence = max(sequence, excluded.sequence)
      """)
    bind(record, key, row)
    row.bind(5, record.layer)
    try row.run()
  }

  private func bind(_ record: CollectedRecord, _ key: Key, _ row: Statement) {
    row.bind(1, key.device)
    row.bind(2, record.record)
    row.bind(3, key.stream)
    row.bind(4, record.sequence)
  }

  // MARK: Streams

  private func known(_ key: Key) throws(PortError) -> Stream {
    if let stream = streams[key] { return stream }
    let made = try statement(
      "INSERT OR IGNORE INTO streams (device, stream, through, dropped) VALUES (?1, ?2, 0, 0)")
    made.bind(1, key.device)
    made.bind(2, key.stream)
    try made.run()
    let row = try connection.prepared(
      "SELECT id, through FROM streams WHERE device = ?1 AND stream = ?2")
    row.bind(1, key.device)
    row.bind(2, key.stream)
    defer { row.reset() }
    guard try row.step() else { throw .failed("the stream of \(key.device) is missing in \(name)") }
    let id = row.id
    return Stream(
      id: id, progress: StreamProgress(through: row.integer(1) ?? 0, ahead: try ahead(of: id)))
  }

  private func ahead(of id: Int64) throws(PortError) -> Set<Int64> {
    let row = try connection.prepared("SELECT sequence FROM streams_ahead WHERE stream_id = ?1")
    row.bind(1, id)
    defer { row.reset() }
    var numbers: Set<Int64> = []
    while try row.step() { numbers.insert(row.integer(0) ?? 0) }
    return numbers
  }

  private func note(_ sequence: Int64, of id: Int64) throws(PortError) {
    let row = try statement(
      "INSERT OR IGNORE INTO streams_ahead (stream_id, sequence) VALUES (?1, ?2)")
    row.bind(1, id)
    row.bind(2, sequence)
    try row.run()
  }

  private func advance(_ stream: Stream) throws(PortError) {
    for sql in [
      "UPDATE streams SET through = ?2 WHERE id = ?1",
      "DELETE FROM streams_ahead WHERE stream_id = ?1 AND sequence <= ?2",
    ] {
      let row = try statement(sql)
      row.bind(1, stream.id)
      row.bind(2, stream.progress.through)
      try row.run()
    }
  }

  public func receipts() throws(PortError) -> [(device: String, receipt: CollectorReceipt)] {
    let row = try connection.prepareOnce(
      "SELECT id, device, stream, through FROM streams ORDER BY id")
    var receipts: [(device: String, receipt: CollectorReceipt)] = []
    while try row.step() {
      let receipt = CollectorReceipt(
        stream: row.text(2) ?? "", through: row.integer(3) ?? 0)
      receipts.append((row.text(1) ?? "", receipt))
    }
    return receipts
  }

  private func statement(_ sql: String) throws(PortError) -> Statement {
    try connection.prepared(sql, doing: "write to")
  }
}
