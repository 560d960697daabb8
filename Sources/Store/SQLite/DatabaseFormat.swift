import CSQLite
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// A kind of database of our own: how its files are made, known again and opened. They are readable
/// for their user only.
public struct DatabaseFormat: Sendable {
  private let kind: DatabaseKind
  private let applicationID: Int64
  /// Bytes. Flash wears by the page.
  private let pageSize: Int
  /// After so many, the log is moved into the file.
  private let checkpointPages: Int
  private let cacheKilobytes: Int
  /// Whether a power cut takes nothing that was committed.
  private let isDurable: Bool
  /// How long a statement waits for another program's, such as one that makes the same file.
  private let patienceMilliseconds: Int32
  private static let pauseMilliseconds: Int32 = 10
  /// The tables of version 1.
  private let create: @Sendable (Database) throws(Database.Failure) -> Void
  /// SQL of what each later version has added.
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
    self.patienceMilliseconds = patienceMilliseconds
    self.additions = additions
    self.create = create
  }

  /// Makes the file where there is none.
  ///
  /// - Throws: `foreign` where something else is at the path: it is left alone.
  public func open(_ path: String) throws(Database.Failure) -> Database {
    let found = DatabaseKind(path: path)
    if let objection = found.objection(to: kind) ?? DatabaseKind.intruder(beside: path) {
      throw Database.Failure(kind: .foreign, text: objection)
    }
    if found == .absent { try make(path) }
    let database = try Database(
      path: path, access: .readWrite, cacheKilobytes: cacheKilobytes,
      patienceMilliseconds: patienceMilliseconds)
    try database.refuseForeignSchema()
    let written = try database.integer("PRAGMA user_version") ?? 0
    guard (0...version).contains(written) else {
      throw Database.Failure(
        kind: .other,
        text: "a newer Godwit has written it (version \(written)); update, or move it away")
    }
    if written == 0 {
      // Before there is a log, so that the file itself says from the beginning whose it is.
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

  /// SQLite does not wait itself for others who begin the log just now: it says at once that the
  /// file is locked.
  private func beginLog(of database: Database) throws(Database.Failure) {
    var left = patienceMilliseconds
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

  /// An empty file that others cannot read; SQLite gives its side files the same owner and
  /// permissions.
  private func make(_ path: String) throws(Database.Failure) {
    do throws(SystemError) {
      close(try PrivateFile.make(path))
    } catch {
      // Another program was the first.
      guard error.code != EEXIST else { return }
      throw Database.Failure(kind: .other, text: error.text)
    }
  }
}
