import CSQLite
import Platform
import Ports
import Core
import Records

/// The daemon's store: one SQLite file that is a valid OGC GeoPackage.
///
/// The file is in WAL mode, so that it can be read while the daemon writes. One `write` is one
/// transaction.
public final class GeoPackageStore: StorePort {
  public enum Durability: Sendable {
    /// A returned `write` survives a power cut.
    case everyWrite
    /// It survives the end of the process, but not always a power cut: for simulations, which can
    /// be repeated.
    case onceInAWhile
  }

  public let name: String
  let connection: Connection
  let retention: RetentionLimits
  private var contents: Contents
  private var fileMonitor: StoreFileMonitor?
  private var marks: OpeningMarks?
  private var isAnnounced = false
  /// The file at the store's path when it was opened.
  private let file: FileIdentity?
  /// A fault of the file that does not prevent storing.
  private var warning: String?
  /// What was changed in the file when it was opened.
  private var notice: String?
  /// What was rebuilt in it.
  private var repaired: String?
  /// Whether the last transaction failed because the disk was full.
  private var diskWasFull = false

  /// Opens the file, creates it if it is missing and migrates an older one.
  ///
  /// - Parameters:
  ///   - lock: excludes other daemons until the store is closed, and enables checks that the file
  ///     is still there; nil for a caller that only changes a label, or makes a file of its own.
  ///   - mark: random mark of this opening, which distinguishes copies of this store from others;
  ///     nil if the same run has to make the same file.
  ///   - isReturn: another file was open before: the present one is checked first.
  ///   - keepsChangeLog: whether changes of records are logged from now on; nil: as before. Only
  ///     with a mark.
  /// - Throws: a `PortError` of the kind that fits. A file that is damaged, newer, read-only or of
  ///   another program is left exactly as it was.
  public init(
    path: String, durability: Durability = .everyWrite, retention: RetentionLimits = .init(),
    lock: StoreLock? = nil, mark: UInt32? = nil, isReturn: Bool = false,
    keepsChangeLog: Bool? = nil
  ) throws(PortError) {
    name = path
    self.retention = retention
    do {
      if !isReturn { warning = try StaleLog.examine(beside: path, isDaemon: mark != nil) }
      connection = try Connection(path: path, access: .readWriteCreating, lock: lock)
      file = FileIdentity(path: path)
    } catch {
      // The lock has to be free for the next attempt.
      lock?.release()
      throw error
    }
    do {
      if isReturn { try connection.refuseDamage() }
      if mark != nil, !isReturn, try !connection.isSound() { warning = Self.damage(path) }
      try connection.guardStoreSchema()
      try connection.configure(durability)
      if mark != nil { repaired = try SchemaRepair(connection).notice }
      if let step = try Migration.due(in: connection) {
        notice = StoreBeforeMigration(of: path, before: step.name).notice
      }
      if try Migration.apply(to: connection) {
        // A copy of the main file alone, without its log, is a GeoPackage now.
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)", doing: "open")
      }
      contents = try Contents(of: connection)
      if let mark {
        marks = OpeningMarks(try connection.meta(.openings), adding: mark)
        if let keepsChangeLog { try keepChangeLog(keepsChangeLog, named: mark) }
      }
      if mark != nil { connection.limits.work = .routine }
      if let lock {
        fileMonitor = try StoreFileMonitor(path: path, main: connection.fileName, lock: lock)
      }
    } catch {
      connection.close()
      throw error
    }
  }

  private static func damage(_ path: String) -> String {
    "the store \(path) is damaged; new records are still written to it: stop the daemon soon and "
      + "save the readable part with `godwit store repair --store \(path)`"
  }

  deinit { try? close() }

  /// Updates the layers' descriptions and moves everything into the main file.
  ///
  /// - Throws: `moved` if the file at the path is another one by now: that one is not changed.
  public func close() throws(PortError) {
    guard !isClosed else { return }
    do {
      try verify()
    } catch {
      connection.keepsLogOnClose = true
      isClosed = true
      connection.close()
      throw error
    }
    isClosed = true
    defer { connection.close() }
    try connection.transaction { () throws(PortError) in
      try contents.write(to: connection, closing: true)
    }
  }

  private var isClosed = false

  /// How long a call waits for a lock that another process holds; two seconds if not set. A loop
  /// that has to answer others meanwhile waits less and tries again later.
  public func waitForLocks(atMost milliseconds: Int32) { connection.wait(atMost: milliseconds) }

  public func write(_ records: [Record]) throws(PortError) {
    guard !records.isEmpty else { return }
    try change { (contents) throws(PortError) in
      if let marks = self.marks, !marks.isStored {
        try self.connection.setMeta(.openings, marks.text)
      }
      let writer = RecordWriter(self.connection)
      for record in records { try writer.write(record, &contents) }
    }
    marks?.isStored = true
  }

  public func ensureOpen() throws(PortError) -> StoreOpening? {
    try verify()
    guard let marks, !isAnnounced else { return nil }
    let opening = StoreOpening(
      marks: marks.earlier, mark: marks.own, identifiers: try lastIdentifiers(),
      warning: warning, notice: notice, mended: repaired)
    isAnnounced = true
    return opening
  }

  /// Closes the store if the open file is no longer the one at its path.
  private func verify() throws(PortError) {
    guard let fileMonitor,
      let event = try fileMonitor.check(isSound: { () throws(PortError) in try connection.isSound()
      })
    else { return }
    let message = try fileMonitor.abandon(connection, after: event)
    isClosed = true
    throw .moved(message)
  }

  /// One transaction, if the store is still the file at its path before and after. The layers'
  /// descriptions are updated only if it succeeds.
  func change(
    _ body: (inout Contents) throws(PortError) -> Void
  ) throws(PortError) {
    guard !isClosed else {
      throw .failed("cannot write to the store \(name): it is closed; open it again")
    }
    try verify()
    // It may be the log that fills the disk. SQLite empties it only after a successful transaction,
    // and none would succeed: each is appended after the ones before.
    if diskWasFull { _ = try? connection.checkpoint() }
    var changed = contents
    do {
      try connection.transaction { () throws(PortError) in
        try body(&changed)
        try changed.write(to: connection, closing: false)
      }
    } catch {
      if case .full = error { diskWasFull = true }
      throw error
    }
    diskWasFull = false
    contents = changed
    try verify()
  }

  public func trackerState() throws(PortError) -> String? {
    try connection.remembered(.trackerState)
  }

  public func lastIdentifiers() throws(PortError) -> StoreIdentifiers {
    StoreIdentifiers(
      visit: try lastIdentifier(in: Visit.layout),
      destination: try lastIdentifier(in: Destination.layout),
      session: try lastIdentifier(in: GnssSession.layout),
      occurrence: max(
        try lastIdentifier(in: Crossing.layout), try lastIdentifier(in: Notice.layout)))
  }

  /// New ids stay below those that are not the tracker's.
  func lastIdentifier(in table: TableLayout) throws(PortError) -> Int64 {
    try connection.integer(
      "SELECT max(id) FROM \(table.name) WHERE id BETWEEN 0 AND \(RecordIdentifier.highest)") ?? 0
  }

  public func destinations() throws(PortError) -> [Destination] {
    var rows = try RowCursor<Destination>(connection, "ORDER BY id")
    return try rows.all()
  }

  /// Sets a destination's name; nil or an empty text removes it.
  ///
  /// - Returns: false if there is no destination of that id.
  public func setLabel(_ label: String?, destination id: Int64) throws(PortError) -> Bool {
    var found = false
    try change { (_) throws(PortError) in
      let statement = try self.connection.prepared(
        "UPDATE destinations SET label = ?2 WHERE id = ?1", doing: "write to")
      statement.bind(1, id)
      statement.bind(2, label.flatMap { $0.isEmpty ? nil : $0 })
      try statement.run()
      found = self.connection.changes > 0
    }
    guard file == FileIdentity(path: name) else {
      throw .moved(
        "the store \(name) was replaced meanwhile, and the new one has no such label; run the "
          + "command again")
    }
    return found
  }
}
