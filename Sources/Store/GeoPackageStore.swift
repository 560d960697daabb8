import CSQLite
import Ports
import Quantities
import Tracking

/// The daemon's store: one SQLite file that is a valid OGC GeoPackage.
///
/// The file is in WAL mode, so that it can be read while the daemon writes. One `write` is one
/// transaction.
public final class GeoPackageStore: StorePort {
  public enum Durability: Sendable {
    /// What `write` has returned from survives a power cut.
    case everyWrite
    /// It survives the end of the process, but not always that of the board: for simulations,
    /// which can be repeated.
    case onceInAWhile
  }

  public let name: String
  let connection: Connection
  let retention: RetentionLimits
  private var contents: [Table: ContentsEntry] = [:]

  /// Opens the file, makes it if it is missing and brings an older one up to date.
  ///
  /// - Parameter lock: keeps other daemons out until the store is closed; nil for one who only
  ///   changes a label, or makes a file of its own.
  /// - Throws: a `StoreError` of the kind that fits. A file that is damaged, newer, read-only or
  ///   of another program is left exactly as it was.
  public init(
    path: String, durability: Durability = .everyWrite, retention: RetentionLimits = .init(),
    lock: StoreLock? = nil
  ) throws(StoreError) {
    name = path
    self.retention = retention
    connection = try Connection(path: path, access: .readWriteCreating, lock: lock)
    try connection.configure(durability)
    if try Migration.apply(to: connection) {
      // Whoever copies the main file alone, without the log beside it, has a GeoPackage now.
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)", doing: "open")
    }
    contents = try connection.contents()
  }

  deinit { try? close() }

  /// Brings the layers' descriptions up to date and moves everything into the one main file.
  public func close() throws(StoreError) {
    guard !isClosed else { return }
    isClosed = true
    defer { connection.close() }
    var entries = contents
    try connection.transaction { () throws(StoreError) in
      for table in Table.allCases {
        try entries[table]?.write(to: connection, table: table, closing: true)
      }
    }
  }

  private var isClosed = false

  public func write(_ records: [Record]) throws(StoreError) {
    guard !records.isEmpty else { return }
    try change { (entries) throws(StoreError) in
      for record in records { try self.write(record, &entries) }
    }
  }

  /// One transaction. What it says about the layers counts only when it succeeds.
  func change(
    _ body: (inout [Table: ContentsEntry]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard !isClosed else {
      throw .failed("cannot write to the store \(name): it is closed; open it again")
    }
    var entries = contents
    try connection.transaction { () throws(StoreError) in
      try body(&entries)
      for table in Table.allCases {
        try entries[table]?.write(to: connection, table: table, closing: false)
      }
    }
    contents = entries
  }

  public func trackerState() throws(StoreError) -> String? {
    try connection.trackerState()
  }

  public func lastIdentifiers() throws(StoreError) -> StoreIdentifiers {
    StoreIdentifiers(
      visit: try connection.integer("SELECT max(id) FROM visits") ?? 0,
      destination: try connection.integer("SELECT max(id) FROM destinations") ?? 0,
      session: try connection.integer("SELECT max(id) FROM gnss_sessions") ?? 0)
  }

  public func destinations() throws(StoreError) -> [Destination] {
    var rows = try RowCursor(
      connection, Rows.destination + " ORDER BY id", table: .destinations, Rows.destination)
    return try rows.all()
  }

  /// Gives a destination its name; nil or an empty text takes it away.
  ///
  /// - Returns: false when there is no destination of that id.
  public func setLabel(_ label: String?, destination id: Int64) throws(StoreError) -> Bool {
    var found = false
    try change { (_) throws(StoreError) in
      let statement = try self.connection.prepared(
        "UPDATE destinations SET label = ?2 WHERE id = ?1", doing: "write to")
      statement.bind(1, id)
      statement.bind(2, label.flatMap { $0.isEmpty ? nil : $0 })
      try statement.run()
      found = self.connection.changes > 0
    }
    return found
  }
}
