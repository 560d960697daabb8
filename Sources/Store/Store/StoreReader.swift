import CSQLite
import Platform
import Ports
import Core
import Records

#if canImport(Glibc)
  import Glibc
#endif

/// Reads a store without changing it: for listings and exports, also while the daemon writes.
///
/// Every cursor sees the file as of the time when its first row was read, in the order of time.
public final class StoreReader {
  private(set) var connection: Connection
  private let path: String
  /// The identities of the files before they were opened; nil if they were read without locks, so
  /// that later writes are not seen.
  private var files: OpenFiles?

  /// - Throws: `failed` if there is no such file or it belongs to another program, `newer`,
  ///   `corrupt`, `readOnly` if this user may not read it.
  public init(path: String) throws(PortError) {
    self.path = path
    (connection, files) = try Self.opened(path)
  }

  /// Switches to the file that is at the path now. Cursors continue with the earlier one.
  ///
  /// A connection parallel to a writer sees new data by itself: it is kept while the files are the
  /// same and no read is in progress.
  public func reopen() throws(PortError) {
    if let files, files == OpenFiles(path), connection.isAtRest {
      try Self.refuseOutdated(connection, path)
      return try connection.verifySchema()
    }
    (connection, files) = try Self.opened(path)
  }

  private static func opened(_ path: String) throws(PortError) -> (Connection, OpenFiles?) {
    let files = OpenFiles(path)
    let connection = try current(path)
    return (connection, connection.isImmutable ? nil : files)
  }

  /// The files of a store that a writer has open; nil while there is none.
  private struct OpenFiles: Equatable {
    private let main: FileIdentity
    private let log: FileIdentity
    private let index: FileIdentity

    init?(_ path: String) {
      let files = StoreFiles(path)
      guard let main = FileIdentity(path: path), let log = FileIdentity(path: files.log),
        let index = FileIdentity(path: files.index), StoreReader.mode(files) == .readOnly
      else { return nil }
      self.main = main
      self.log = log
      self.index = index
    }
  }

  private static func current(_ path: String) throws(PortError) -> Connection {
    var connection = try Self.connection(path)
    do {
      try refuseOutdated(connection, path)
    } catch {
      // A daemon has begun to write since the check: now there is a log to read.
      guard case .busy = error else { throw error }
      connection = try Self.connection(path)
      try refuseOutdated(connection, path)
    }
    try connection.guardSchema { (connection) throws(PortError) in
      try SchemaComparison(of: connection, applied: Migration.all.count)
        .refuse(forReading: true)
    }
    return connection
  }

  private static func refuseOutdated(
    _ connection: Connection, _ path: String
  ) throws(PortError) {
    let applied = try Migration.appliedCount(Migration.all, in: connection)
    guard applied == Migration.all.count else {
      throw .failed(
        "the store \(path) is empty or was written by an older godwit; "
          + "start the daemon once to bring it up to date")
    }
  }

  /// A connection that does not change the file.
  ///
  /// - Parameters:
  ///   - name: the file's name in messages, if its path is temporary.
  ///   - isDamaged: whether a file that is shorter than its header states may be read as far as
  ///     possible; SQLite refuses it otherwise (lockBtree in its btree.c).
  ///   - lock: of the file, if the caller has it.
  static func connection(
    _ path: String, name: String? = nil, isDamaged: Bool = false, lock: StoreLock? = nil
  ) throws(PortError) -> Connection {
    guard access(path, F_OK) == 0 || errno != ENOENT else {
      throw .failed(
        "there is no store \(path); start the daemon or name the right file with --store")
    }
    let status = FileStatus(path: path)
    if let status, status.kind != .regular {
      throw .failed(
        "cannot read the store \(path): it is not a regular file; name the right one with --store")
    }
    let files = StoreFiles(path)
    let mode = mode(files)
    if mode == .immutable, lock == nil, let status, status.kernel.st_nlink > 1,
      StoreLock.isHeld(path)
    {
      throw .failed(
        "cannot read the store \(path): a daemon has it open under another name (a hard link), and "
          + "its log is beside that name; use the name that the daemon uses")
    }
    guard mode != .readOnly || canShareMemory(files) else {
      throw .readOnly(
        "cannot read the store \(path): the daemon ended without closing it, and only a user with "
          + "write access to that folder can merge its log; start the daemon or run this "
          + "command as its user")
    }
    let connection = try Connection(path: path, name: name, access: mode)
    if isDamaged {
      // Nothing is written through this one.
      godwit_set_defensive(connection.handle, 0)
      try connection.execute("PRAGMA writable_schema = ON", doing: "read")
    }
    try connection.execute("PRAGMA cache_size = -1024; PRAGMA mmap_size = 0;", doing: "read")
    return connection
  }

  /// From now on every cursor sees the file as of this moment, whatever the daemon writes.
  public func freeze() throws(PortError) { try connection.freeze() }

  /// Without a write-ahead log beside it no program has the file open for writing, and everything
  /// is in the main file. SQLite would create log and shared memory beside it even for reading,
  /// which fails on read-only media and leaves files behind elsewhere.
  ///
  /// A rollback journal comes from another program, which may have died in the middle of a change:
  /// only a connection that may write can roll that back, as SQLite does before it reads anything.
  private static func mode(_ files: StoreFiles) -> Connection.Access {
    if let journal = FileStatus(path: files.journal), journal.kernel.st_size > 0 {
      return .readWriteCreating
    }
    // On a full disk, the last program that opened the store could create the files, but write
    // nothing.
    let isInUse = [files.log, files.index].contains {
      FileStatus(path: $0).map { $0.kernel.st_size > 0 } ?? false
    }
    return isInUse ? .readOnly : .immutable
  }

  /// A log is read through the shared memory beside it, which has to exist or be created.
  private static func canShareMemory(_ files: StoreFiles) -> Bool {
    access(files.index, F_OK) == 0 || access(files.folder, W_OK) == 0
  }

  public func trackPoints(in range: TimeRange = .all) throws(PortError) -> RowCursor<TrackPoint> {
    try RowCursor(connection, "WHERE id >= ?1 AND id <= ?2 ORDER BY id") {
      $0.bind(1, range.from.map(\.wholeMicroseconds) ?? .min)
      // The end is excluded, but without an end every row is included.
      $0.bind(2, range.to.map { $0.wholeMicroseconds - 1 } ?? .max)
    }
  }

  /// Alerts in the order of their ids.
  public func alerts() throws(PortError) -> RowCursor<StoredAlert> {
    try RowCursor(connection, "ORDER BY id")
  }

  /// Those that the daemon uses; the result also has the excess ones.
  public func alertsInForce() throws(PortError) -> StoredAlerts {
    try EnabledAlerts(connection).found
  }

  /// Arrivals at places and departures, in the order in which they were detected.
  public func crossings(in range: TimeRange = .all) throws(PortError) -> RowCursor<Crossing> {
    try records(in: range)
  }

  /// Raised alerts, in their order.
  public func notices(in range: TimeRange = .all) throws(PortError) -> RowCursor<Notice> {
    try records(in: range)
  }

  /// Actions on contents of places, in their order.
  public func contentActions(
    in range: TimeRange = .all
  ) throws(PortError) -> RowCursor<ContentAction> {
    try RowCursor(
      connection,
      "WHERE (?1 IS NULL OR time >= ?1) AND (?2 IS NULL OR time < ?2) ORDER BY id"
    ) { $0.bind(range) }
  }

  /// The contents that interest people, as JSON text; nil: not set.
  public func interests() throws(PortError) -> String? { try connection.remembered(.interests) }

  /// Messages between people, with their status.
  public func messages() throws(PortError) -> [StoredMessage] {
    try MessageTable(connection).all()
  }

  /// The newest; nil if there is none.
  public func lastTrackPoint() throws(PortError) -> TrackPoint? {
    var points = try RowCursor<TrackPoint>(connection, "ORDER BY id DESC LIMIT 1")
    return try points.next()
  }

  /// Visits that overlap the range. An open visit lasts until now while a daemon has the store
  /// open, otherwise until the newest record.
  public func visits(in range: TimeRange = .all) throws(PortError) -> RowCursor<Visit> {
    let known = range.from == nil ? nil : try lastKnown()
    return try RowCursor(
      connection,
      """
      WHERE (?2 IS NULL OR arrival < ?2)
        AND (?1 IS NULL OR departure >= ?1 OR (departure IS NULL AND ?3 >= ?1))
      ORDER BY arrival, id
      """
    ) {
      $0.bind(range)
      $0.bind(3, known)
    }
  }

  private func lastKnown() throws(PortError) -> UTCInstant? {
    let newest = try newestRecord()
    guard StoreLock.isKnownToBeHeld(connection.path) else { return newest }
    return newest.map { max($0, BootClock.systemDate) }
  }

  public func destinations() throws(PortError) -> RowCursor<Destination> {
    try RowCursor(connection, "ORDER BY id")
  }

  /// Sessions that were switched on in the range: those that never received the date are included
  /// only without a range.
  public func sessions(in range: TimeRange = .all) throws(PortError) -> RowCursor<GnssSession> {
    try records(in: range)
  }

  /// Power segments that started in the range.
  public func segments(in range: TimeRange = .all) throws(PortError) -> RowCursor<PowerSegment> {
    try records(in: range)
  }

  /// The decision log, in the order in which it was written: events before the first fix have no
  /// time, and are included only without a range.
  public func events(in range: TimeRange = .all) throws(PortError) -> RowCursor<TimedLogEvent> {
    try records(in: range)
  }

  /// Records of a kind with a time: in its order, or in that of the ids if a time may be missing.
  func records<Row: StoredRecord>(
    in range: TimeRange = .all
  ) throws(PortError) -> RowCursor<Row> {
    let table = Row.layout
    guard let time = table.time else { preconditionFailure("\(table.name) has no time") }
    return try RowCursor(
      connection,
      """
      WHERE (?1 IS NULL OR \(time) >= ?1) AND (?2 IS NULL OR \(time) < ?2)
      ORDER BY \(table.isAlwaysDated ? "\(time), id" : "id")
      """
    ) { $0.bind(range) }
  }

  /// The time of the newest of all records; nil in an empty store.
  public func newestRecord() throws(PortError) -> UTCInstant? {
    var newest: UTCInstant?
    for case let table? in Table.ofRecords.map(\.layout) {
      guard let time = table.newest else { continue }
      let statement = try connection.prepareOnce(
        "SELECT \(time) FROM \(table.name) WHERE \(time) NOT NULL ORDER BY id DESC LIMIT 1")
      guard try statement.step(), let time = statement.time(0) else { continue }
      newest = newest.map { max($0, time) } ?? time
    }
    return newest
  }

  /// The tracker's state after the last run, as JSON text.
  func trackerState() throws(PortError) -> String? {
    try connection.remembered(.trackerState)
  }

  /// Which program made the store, as JSON text; nil for older versions.
  public func provenance() throws(PortError) -> String? {
    try connection.remembered(.provenance)
  }

  /// The result of SQLite's integrity check; empty if the file is undamaged. Reads all of it.
  public func integrityProblems() throws(PortError) -> [String] {
    try connection.integrityProblems(atMost: 100)
  }
}

extension Connection {
  /// From now on every read sees the state of this moment, whatever is written.
  func freeze() throws(PortError) {
    try execute("BEGIN", doing: "read")
    _ = try integer("SELECT 1 FROM sqlite_schema")
  }

  func integrityProblems(atMost limit: Int) throws(PortError) -> [String] {
    let statement = try prepareOnce("PRAGMA integrity_check(\(limit))")
    var problems: [String] = []
    do throws(PortError) {
      while try statement.step() {
        if let text = statement.text(0), text != "ok" { problems.append(text) }
      }
    } catch  where error.isDamage && !problems.isEmpty {
      // It ends with an error at the first unreadable row, after it has reported the pages.
      problems.append("the rest could not be checked")
    }
    return problems
  }

  /// The names of all R-trees, Godwit's own and those of other programs.
  func spatialIndexes() throws(PortError) -> [String] {
    let statement = try prepareOnce(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING rtree%' ORDER BY name
      """)
    var names: [String] = []
    while try statement.step() {
      if let name = statement.text(0) { names.append(name) }
    }
    return names
  }

  /// SQLite before 3.44 leaves them out of its integrity check. With a damaged one no row of its
  /// table can be written: GDAL 3.10 makes such indexes with pages of 512 bytes.
  ///
  /// - Returns: nil: it is undamaged.
  func problem(ofSpatialIndex name: String) throws(PortError) -> String? {
    let statement = try prepareOnce("SELECT rtreecheck(?1)")
    statement.bind(1, name)
    do throws(PortError) {
      guard try statement.step(), let text = statement.text(0), text != "ok" else { return nil }
      return text
    } catch  where error.isDamage {
      return "SQLite cannot read it"
    }
  }
}

extension Statement {
  /// Binds the range's ends to the parameters 1 and 2.
  fileprivate func bind(_ range: TimeRange) {
    bind(1, range.from)
    bind(2, range.to)
  }
}

/// A range of times; open-ended if a limit is nil.
public struct TimeRange: Hashable, Sendable {
  /// Inclusive.
  public var from: UTCInstant?
  /// Exclusive.
  public var to: UTCInstant?

  public static let all = TimeRange()

  public init(from: UTCInstant? = nil, to: UTCInstant? = nil) {
    self.from = from
    self.to = to
  }
}
