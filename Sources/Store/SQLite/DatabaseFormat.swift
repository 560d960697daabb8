import CSQLite
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// A kind of database of our own: how its files are created, recognized and opened. They are
/// readable for their user only.
public struct DatabaseFormat: Sendable {
  private let kind: DatabaseKind
  private let applicationID: Int64
  /// In bytes. Flash wears by the page.
  private let pageSize: Int
  /// After so many pages the log is moved into the file.
  private let checkpointPages: Int
  private let cacheKilobytes: Int
  /// Whether committed data survive a power cut.
  private let isDurable: Bool
  /// How long a statement waits for another program, such as one that creates the same file.
  private let busyTimeoutMilliseconds: Int32
  private static let pauseMilliseconds: Int32 = 10
  /// The tables of version 1.
  private let create: @Sendable (Database) throws(Database.Failure) -> Void
  /// SQL added by each later version.
  private let additions: [String]

  public init(
    _ kind: DatabaseKind, applicationID: Int64, pageSize: Int, checkpointPages: Int,
    cacheKilobytes: Int, isDurable: Bool, patienceMilliseconds: Int32 = 0, additions: [String] = [],
    create: @escaping @Sendable (Database) throws(Database.Failure) -> Void
  ) {
    self.kind = kind
    self.applicationID = applicationID
    self.pageSize = pageSize
    self.checkpointPages = checkpointPages
    self.cacheKilobytes = cacheKilobytes
    self.isDurable = isDurable
    self.busyTimeoutMilliseconds = patienceMilliseconds
    self.additions = additions
    self.create = create
  }

  /// Creates the file if there is none.
  ///
  /// - Throws: `foreign` if something else is at the path: it is not changed.
  public func open(_ path: String) throws(Database.Failure) -> Database {
    let found = DatabaseKind(path: path)
    if let objection = found.objection(to: kind) ?? DatabaseKind.intruder(beside: path) {
      throw Database.Failure(kind: .foreign, text: objection)
    }
    if found == .absent { try make(path) }
    let database = try Database(
      path: path, access: .readWrite, cacheKilobytes: cacheKilobytes,
      patienceMilliseconds: busyTimeoutMilliseconds)
    try database.refuseForeignSchema()
    let written = try database.integer("PRAGMA user_version") ?? 0
    guard (0...version).contains(written) else {
      throw Database.Failure(
        kind: .other,
        text: "a newer Godwit has written it (version \(written)); update, or move it away")
    }
    if written == 0 {
      // Before there is a log, so that the file itself has its identification from the beginning.
      try database.execute(
        "PRAGMA page_size = \(pageSize); PRAGMA application_id = \(applicationID)")
    }
    try beginLog(of: database)
    try database.execute(
      """
      PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL");
      PRAGMA wal_autocheckpoint = \(checkpointPages);
      PRAGMA journal_size_limit = \(checkpointPages * pageSize)
      """)
    if written < version { try bringUpToDate(database) }
    return database
  }

  /// SQLite itself does not wait while another program starts the log: it reports a locked file at
  /// once.
  private func beginLog(of database: Database) throws(Database.Failure) {
    var left = busyTimeoutMilliseconds
    while true {
      do throws(Database.Failure) {
        return try database.execute("PRAGMA journal_mode = WAL")
      } catch {
        guard error.kind == .locked, left > 0 else { throw error }
        left -= Self.pauseMilliseconds
        sqlite3_sleep(Self.pauseMilliseconds)
      }
    }
  }

  private func bringUpToDate(_ database: Database) throws(Database.Failure) {
    try database.transaction { () throws(Database.Failure) in
      // Another program may have done so meanwhile.
      let written = try database.integer("PRAGMA user_version") ?? 0
      guard written < version else { return }
      if written == 0 { try create(database) }
      for addition in additions.dropFirst(max(Int(written) - 1, 0)) {
        try database.execute(addition)
      }
      try database.execute("PRAGMA user_version = \(version)")
    }
  }

  /// Of the tables.
  private var version: Int64 { 1 + Int64(additions.count) }

  /// An empty file that other users cannot read; SQLite gives its side files the same owner and
  /// permissions.
  private func make(_ path: String) throws(Database.Failure) {
    do throws(SystemError) {
      close(try PrivateFile.make(path))
    } catch {
      // Another program has created it meanwhile.
      guard error.code != EEXIST else { return }
      throw Database.Failure(kind: .other, text: error.text)
    }
  }
}
