import Formats
import Platform
import Core
import Records

#if canImport(Glibc)
  import Glibc
#endif

/// Makes a table of cells from rows, in a file beside it that replaces it when complete.
///
/// Rows are committed in batches, each with the position reached in the input file: a killed import
/// resumes there. Of two rows for one cell the one with the later measurement counts.
public final class CellImport {
  /// Which rows of which file; an import is resumed only if all of it is the same.
  public struct Selection: Hashable, Sendable {
    /// What identifies the file: name, size, change, beginning. Empty: it cannot be read again
    /// (standard input), so that no import can be resumed.
    var source: String
    /// Countries; empty: all.
    var countries: Set<UInt16>
    /// Nil: the whole Earth.
    var box: CellBox?

    public init(source: String, countries: Set<UInt16> = [], box: CellBox? = nil) {
      self.source = source
      self.countries = countries
      self.box = box
    }

    func includes(_ row: CellRow) -> Bool {
      (countries.isEmpty || countries.contains(row.cell.mcc))
        && (box?.contains(row.position) ?? true)
    }

    fileprivate var text: String {
      let countries = countries.sorted().map(String.init).joined(separator: " ")
      let box = box.map { "\($0.south) \($0.west) \($0.north) \($0.east)" } ?? ""
      return "\(source)\n\(countries)\n\(box)"
    }
  }

  /// So many rows are sorted and committed at once.
  static let batch = 100_000
  private static let cacheKilobytes = 16_000

  public let path: String
  /// Where the table is made.
  public var partPath: String { path + ".part" }
  /// Selected rows, of this run and of the earlier ones that it resumes.
  public private(set) var kept = 0
  /// Valid rows that were not selected.
  public private(set) var unwanted = 0
  /// Where an earlier run stopped: the byte offset in the file, and its header.
  public let resumed: (offset: Int, header: String?)?

  private let order: Selection
  private let lock: ImportLock
  private let database: Database
  private var waiting: [Entry] = []

  private struct Entry {
    let key: Int64
    let row: CellRow
  }

  /// - Parameters:
  ///   - path: of the future table.
  ///   - adding: whether to begin with the contents of the present table.
  public init(path: String, order: Selection, adding: Bool) throws(CellImportError) {
    self.path = path
    self.order = order
    let part = path + ".part"
    lock = try ImportLock(PathParts(path).folder)
    try Self.refuseOthers(path, part)
    do throws(Database.Failure) {
      if let going = try Self.goingOn(part, order) {
        database = going.database
        resumed = going.progress
        kept = going.kept
        unwanted = going.unwanted
      } else {
        Self.remove(part)
        if adding, DatabaseKind(path: path) == .cellTable { try Self.copy(path, to: part) }
        database = try Self.open(part)
        resumed = nil
        try Self.create(in: database)
      }
    } catch {
      throw CellImportError(error, part, "make")
    }
    waiting.reserveCapacity(Self.batch)
  }

  /// Adds a row if it is selected.
  public func add(_ row: CellRow) {
    guard order.includes(row) else { return unwanted += 1 }
    kept += 1
    waiting.append(Entry(key: CellKey.of(row.cell), row: row))
  }

  /// Whether a batch is complete.
  public var isFull: Bool { waiting.count >= Self.batch }

  /// Writes the rows so far to the disk, with the position reached in the file.
  public func commit(_ reader: CellTableReader) throws(CellImportError) {
    // In the order of the tree, so that each page is changed once.
    waiting.sort { $0.key < $1.key }
    do throws(Database.Failure) {
      try database.transaction { () throws(Database.Failure) in
        let insert = try database.prepared(
          """
          INSERT INTO cells VALUES (?1, ?2, ?3, ?4, ?5, ?6)
          ON CONFLICT (id) DO UPDATE SET latitude = ?2, longitude = ?3, range_m = ?4,
            samples = ?5, updated_s = ?6 WHERE ?6 >= updated_s
          """)
        for entry in waiting { try Self.insert(entry, with: insert) }
        let row = try database.prepared(
          "INSERT OR REPLACE INTO progress VALUES (1, ?1, ?2, ?3, ?4, ?5)")
        row.bind(1, order.text)
        row.bind(2, Int64(reader.offset))
        row.bind(3, reader.header ?? "")
        row.bind(4, Int64(kept))
        row.bind(5, Int64(unwanted))
        try row.run()
      }
    } catch {
      throw CellImportError(error, partPath, "write")
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Replaces the old table by the complete new one.
  ///
  /// - Returns: how many cells it has.
  public func finish() throws(CellImportError) -> Int {
    let count: Int
    do throws(Database.Failure) {
      try database.execute("DELETE FROM progress")
      count = Int(try database.integer("SELECT count(*) FROM cells") ?? 0)
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    } catch {
      throw CellImportError(error, partPath, "complete")
    }
    // Hours may have passed since the first check.
    try Self.refuseOthers(path, partPath)
    guard Self.sync(partPath), rename(partPath, path) == 0 else {
      throw CellImportError(system: SystemError.last, path)
    }
    _ = FileSystem.sync(folder: PathParts(path).folder)
    return count
  }

  /// Deletes what was made so far: nothing can be resumed or installed.
  public func discard() { Self.remove(partPath) }

  // MARK: The file

  private static func remove(_ part: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(part + suffix) }
  }

  /// Only tables of cells are replaced, whatever the path names.
  private static func refuseOthers(_ paths: String...) throws(CellImportError) {
    for path in paths {
      let objection =
        DatabaseKind(path: path).objection(to: .cellTable) ?? DatabaseKind.intruder(beside: path)
      guard let objection else { continue }
      throw CellImportError(
        "\(path) is not a cell table and was not changed: \(objection); move it away, or name "
          + "another path with --table")
    }
  }

  private static func open(_ part: String) throws(Database.Failure) -> Database {
    let descriptor = Glibc.open(part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else {
      throw Database.Failure(kind: .other, text: SystemError.last.text)
    }
    close(descriptor)
    return try Database(
      path: part, access: .readWrite, cacheKilobytes: cacheKilobytes, work: .wholeFile)
  }

  private static func create(in database: Database) throws(Database.Failure) {
    try database.execute(
      """
      PRAGMA page_size = 4096; PRAGMA application_id = \(DatabaseKind.cellTableID);
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 4000;
      CREATE TABLE IF NOT EXISTS cells (
        id INTEGER PRIMARY KEY, latitude INTEGER, longitude INTEGER, range_m INTEGER,
        samples INTEGER, updated_s INTEGER);
      CREATE TABLE IF NOT EXISTS progress (
        id INTEGER PRIMARY KEY, wanted TEXT, offset INTEGER, header TEXT, kept INTEGER,
        unwanted INTEGER);
      PRAGMA user_version = \(CellTable.version)
      """)
  }

  private static func goingOn(
    _ part: String, _ order: Selection
  ) throws(Database.Failure) -> (
    database: Database, progress: (offset: Int, header: String?), kept: Int, unwanted: Int
  )? {
    guard !order.source.isEmpty, DatabaseKind(path: part) == .cellTable else { return nil }
    do throws(Database.Failure) {
      let database = try open(part)
      // A power cut may have damaged it; then it is made anew.
      let check = try database.prepared("PRAGMA quick_check(1)")
      guard try check.step(), check.text(0) == "ok" else { return nil }
      check.reset()
      try database.refuseForeignSchema()
      try create(in: database)
      let row = try database.prepared("SELECT * FROM progress WHERE id = 1")
      defer { row.reset() }
      guard try row.step(), row.text(1) == order.text, let offset = row.integer(2), offset >= 0,
        let kept = row.integer(4), let unwanted = row.integer(5)
      else { return nil }
      let header = row.text(3) ?? ""
      return (database, (Int(offset), header.isEmpty ? nil : header), Int(kept), Int(unwanted))
    } catch {
      if error.kind == .full { throw error }
      return nil
    }
  }

  private static func copy(_ path: String, to part: String) throws(Database.Failure) {
    let old = try Database(
      path: path, access: .immutable, cacheKilobytes: 1000, work: .wholeFile)
    try old.refuseForeignSchema()
    let statement = try old.prepared("VACUUM INTO ?1")
    statement.bind(1, part)
    try statement.run()
  }

  private static func insert(
    _ entry: Entry, with insert: DatabaseStatement
  ) throws(Database.Failure) {
    let row = entry.row
    insert.bind(1, entry.key)
    insert.bind(2, Int64((row.position.latitude.value * CellTable.unitsPerDegree).rounded()))
    insert.bind(3, Int64((row.position.longitude.value * CellTable.unitsPerDegree).rounded()))
    insert.bind(4, Int64(row.range.value.rounded()))
    insert.bind(5, Int64(row.samples))
    insert.bind(6, row.updated)
    try insert.run()
  }

  private static func sync(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}

/// Why cells could not be imported.
public struct CellImportError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String

  init(_ message: String) { self.message = message }

  init(_ failure: Database.Failure, _ path: String, _ action: String) {
    let advice =
      failure.kind == .full
      ? "the disk is full: free space there, then run the same command again to continue"
      : "check that the folder exists and is writable for you"
    message = "cannot \(action) the cell table \(path): \(failure.text); \(advice)"
  }

  init(system error: SystemError, _ path: String) {
    message =
      "cannot write the cell table \(path): \(error.text); check that you may write there"
  }
}
