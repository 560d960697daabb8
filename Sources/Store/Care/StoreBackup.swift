import CSQLite
import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// Copies of a whole store, through SQLite's online backup (sqlite.org/backup.html): a copy of the
/// file alone would lack what is in the log, and one of a file that is written to would be torn.
public struct StoreBackup {
  /// Asked again and again; false ends the work, which leaves nothing behind then.
  private let goesOn: () -> Bool

  /// Pages between two questions.
  private static let step: Int32 = 512

  public init(goesOn: @escaping () -> Bool = { true }) { self.goesOn = goesOn }

  /// Makes a copy as one file, checked and on the disk, while the daemon goes on writing.
  ///
  /// - Parameter replacing: whether a file that is there may be replaced, by the whole copy.
  /// - Returns: the size of the copy in bytes.
  public func save(
    _ store: String, to file: String, replacing: Bool
  ) throws(StoreError) -> Int {
    guard !StoreFiles(store).contains(file) else {
      throw .failed("\(file) is a part of the store \(store) itself; name another file")
    }
    guard replacing || access(file, F_OK) != 0 else { throw Self.exists(file) }
    let draft = try copy(store, for: file)
    let bytes = StoreFiles(draft.path).bytes
    if access(StoreFiles(file).main, F_OK) == 0 {
      guard replacing else { throw Self.exists(file) }
      try draft.replace()
    } else {
      try draft.place()
    }
    return bytes
  }

  /// Puts a copy in the place of a store, which is kept under another name. No daemon may run.
  ///
  /// - Returns: the present store's new name; nil when there was none.
  public func restore(_ file: String, to store: String) throws(StoreError) -> String? {
    let files = StoreFiles(store)
    guard !files.contains(file) else {
      throw .failed("\(file) is a part of the store \(store) itself; name the backup")
    }
    // SQLite would delete these beside a new store, or take them for its own.
    guard access(files.main, F_OK) == 0 else {
      if let stray = files.all.dropFirst().first(where: { access($0, F_OK) == 0 }) {
        throw .failed("\(stray) lies there without its store; move it away first")
      }
      try copy(file, for: store).place()
      return nil
    }
    let lock = try StoreLock(path: store)
    defer { lock.release() }
    return try copy(file, for: store).replaceStore(keepingAs: "before-restore")
  }

  /// A draft that is a whole store of its own.
  private func copy(_ source: String, for place: String) throws(StoreError) -> StoreDraft {
    let from = try StoreReader.connection(source)
    guard try Migration.appliedCount(Migration.all, in: from) > 0 else {
      throw .failed("\(source) is empty; name a file that holds a store")
    }
    // Of one moment: without this, every commit of the daemon would make SQLite begin anew.
    try from.freeze()
    let draft = try StoreDraft(for: place)
    let to = try Connection(path: draft.path, access: .readWriteCreating)
    // A draft that did not come to its end is thrown away: nothing needs to be journalled.
    try to.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", doing: "write")
    try copyPages(from, to)
    try from.checkUnchanged()
    // The header came with the mark of a log; a copy that is kept needs no files beside it.
    try to.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE", doing: "write")
    let problems = try to.integrityProblems(atMost: 1)
    to.close()
    from.close()
    if let problem = problems.first {
      throw .corrupt(
        "\(source) is damaged (\(problem)), and so would be its copy; nothing was changed: see "
          + "`godwit store check` and `godwit store repair`")
    }
    return draft
  }

  private func copyPages(_ from: Connection, _ to: Connection) throws(StoreError) {
    guard let backup = sqlite3_backup_init(to.handle, "main", from.handle, "main") else {
      throw to.failure(doing: "copy")
    }
    var code = SQLITE_OK
    var isWanted = true
    while code == SQLITE_OK, isWanted {
      code = sqlite3_backup_step(backup, Self.step)
      isWanted = goesOn()
    }
    sqlite3_backup_finish(backup)
    guard isWanted || code == SQLITE_DONE else {
      throw .failed("interrupted; nothing was changed")
    }
    guard code == SQLITE_DONE else { throw to.failure(doing: "copy") }
  }

  private static func exists(_ file: String) -> StoreError {
    .failed("\(file) exists already; name another file, or replace it with --force")
  }
}
