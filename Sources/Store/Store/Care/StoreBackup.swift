import CSQLite
import Platform
import Ports

/// Copies of a whole store, by SQLite's online backup (sqlite.org/backup.html): a plain copy of the
/// file would lack the content of the log, and one of a file that is written meanwhile would be
/// inconsistent.
public struct StoreBackup {
  /// A copy at its final path.
  public struct Copy: Sendable {
    public let bytes: Int
    /// Faults in the copy, which the copied store has, too.
    public let check: StoreCheck
    /// The new name of the store that was there before.
    public fileprivate(set) var keptAs: String?
    /// Why it may not survive a power cut.
    public fileprivate(set) var warning: String?
  }

  /// Called after every step, for what other programs do meanwhile.
  private let meanwhile: () -> Void

  /// Pages per step.
  private static let step: Int32 = 512

  public init() { self.init(meanwhile: {}) }

  init(meanwhile: @escaping () -> Void) { self.meanwhile = meanwhile }

  /// Makes a copy as one file, checked and synced, while the daemon goes on writing.
  ///
  /// - Parameter replacing: whether an existing file may be replaced by the complete copy.
  public func save(
    _ store: String, to file: String, replacing: Bool
  ) throws(PortError) -> Copy {
    guard !StoreFiles(store).contains(file) else {
      throw .failed("\(file) is a part of the store \(store) itself; name another file")
    }
    let target = StoreFiles(file)
    // Held until the copy is at its path: that may be the store of a daemon.
    var lock: StoreLock?
    defer { lock?.release() }
    if let present = FileStatus(path: target.main) {
      guard present.kind == .regular else {
        throw .failed("\(file) is not a regular file; name another file")
      }
      guard replacing else {
        throw .failed("\(file) exists already; name another file, or replace it with --force")
      }
      lock = try StoreLock.ofReplaced(target.main)
    }
    try StoreDraft.refuseStrays(beside: target)
    let isThere = target.isThere
    var (draft, copy) = try copy(store, for: file)
    if isThere { try draft.replace() } else { try draft.place() }
    copy.warning = draft.warning
    return copy
  }

  /// Replaces a store by a copy; the store is kept under another name. No daemon may run.
  ///
  /// - Throws: `failed` if the file is a database of another program, among others.
  public func restore(_ file: String, to store: String) throws(PortError) -> Copy {
    let files = StoreFiles(store)
    guard !files.contains(file) else {
      throw .failed("\(file) is a part of the store \(store) itself; name the backup")
    }
    guard files.isThere else {
      try StoreDraft.refuseStrays(beside: files)
      var (draft, copy) = try copy(file, for: store)
      try draft.place()
      copy.warning = draft.warning
      return copy
    }
    try ForeignDatabase.refuse(store)
    let lock = try StoreLock(path: store)
    defer { lock.release() }
    var (draft, copy) = try copy(file, for: store)
    Self.mergeLog(of: files)
    copy.keptAs = try draft.replaceStore(keepingAs: "before-restore")
    copy.warning = draft.warning
    return copy
  }

  /// Moves the log of an undamaged store into it, so that it can be kept as one file. The log of a
  /// damaged store stays beside it, and so does one that belongs to another file.
  private static func mergeLog(of files: StoreFiles) {
    guard !files.strays.isEmpty,
      (try? StaleLog(beside: files.main)?.isForeign()) != .some(true),
      let connection = try? Connection(path: files.main, access: .readWriteCreating)
    else { return }
    connection.keepsLogOnClose = true
    if (try? connection.isSound()) == true, (try? connection.checkpoint()) == true {
      connection.keepsLogOnClose = false
    }
    connection.close()
  }

  /// A draft that is a complete store of its own.
  private func copy(
    _ source: String, for place: String
  ) throws(PortError) -> (StoreDraft, Copy) {
    let from = try StoreReader.connection(source)
    guard try Migration.appliedCount(Migration.all, in: from) > 0 else {
      throw .failed("\(source) is empty; name a file that contains a store")
    }
    // One snapshot: otherwise SQLite would begin anew at every commit of the daemon.
    try from.freeze()
    let draft = try StoreDraft(for: place, like: source)
    let to = try Connection(path: draft.path, name: place, access: .draft)
    // An incomplete draft is deleted: no journal is needed.
    try to.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", doing: "write")
    try copyPages(from, to)
    try from.checkUnchanged()
    // The copied header has the mark of a log; a copy that is kept needs no files beside it.
    try to.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE", doing: "write")
    to.close()
    from.close()
    let check = try StoreCheck(path: draft.path, name: source)
    if let problem = check.obstacle {
      throw .corrupt(
        "\(source) is damaged (\(problem.text)), and so would be its copy; nothing was changed: "
          + "see `godwit store check --store \(source)` and `godwit store repair --store "
          + "\(source)`")
    }
    return (draft, Copy(bytes: check.bytes, check: check))
  }

  private func copyPages(_ from: Connection, _ to: Connection) throws(PortError) {
    guard let backup = sqlite3_backup_init(to.handle, "main", from.handle, "main") else {
      throw to.failure(doing: "copy")
    }
    var code = SQLITE_OK
    while code == SQLITE_OK {
      code = sqlite3_backup_step(backup, Self.step)
      meanwhile()
    }
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw to.failure(doing: "copy") }
  }
}
