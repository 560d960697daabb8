import Ports
import Records

extension Connection {
  /// Configures the connection for the daemon: little memory, few writes, no loss.
  ///
  /// Small pages, because every transaction writes whole pages and flash wears with each write. The
  /// cache is limited and nothing is mapped, because the daemon runs for months.
  func configure(_ durability: GeoPackageStore.Durability) throws(PortError) {
    guard !isReadOnly else { throw .notWritable(path, name: name) }
    try execute(
      "PRAGMA cache_size = -256; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY", doing: "open")
    // A file that must not be changed has to be recognized before the first change.
    if try Migration.appliedCount(Migration.all, in: self) == 0 {
      // No auto-vacuum: its page map costs a seventh of all writes, and the pages of deleted rows
      // are reused anyway.
      try execute("PRAGMA page_size = \(Self.pageSize)", doing: "open")
    }
    let mode = try prepareOnce("PRAGMA journal_mode = WAL", doing: "open")
    guard try mode.step(), mode.text(0) == "wal" else {
      throw .failed(
        "cannot open the store \(name): its file system cannot share memory between programs "
          + "(write-ahead log refused); put the store on a local disk with --store")
    }
    let synchronous = durability == .everyWrite ? "FULL" : "NORMAL"
    try execute(
      """
      PRAGMA synchronous = \(synchronous);
      PRAGMA wal_autocheckpoint = \(Self.checkpointBytes / Self.pageSize);
      PRAGMA journal_size_limit = \(Self.checkpointBytes);
      """, doing: "open")
  }

  static let pageSize = 512
  /// Size of the log at which it is moved into the main file: a page that changed in many
  /// transactions is then moved once.
  static let checkpointBytes = 1 << 20

  /// Checks a file that replaced another in use, before anything is changed.
  func refuseDamage() throws(PortError) {
    keepsLogOnClose = true
    guard try isSound() else {
      throw .corrupt(
        "the file that is now the store \(name) is damaged; nothing was changed: wait if it is "
          + "still being copied, otherwise move it away or replace it with one that "
          + "passes its integrity check")
    }
    keepsLogOnClose = false
  }

  func remembered(_ what: Record.Memory) throws(PortError) -> String? {
    try meta(MetaKey(what))
  }

  /// The value stored under this key between runs.
  func meta(_ key: MetaKey) throws(PortError) -> String? {
    let statement = try prepared("SELECT value FROM meta WHERE key = ?1")
    statement.bind(1, key.rawValue)
    defer { statement.reset() }
    // A state that is not text is invalid, and its reader reports that.
    return try statement.step() ? statement.text(0) ?? "" : nil
  }

  func setMeta(_ key: MetaKey, _ value: String) throws(PortError) {
    let row = try prepared(
      """
      INSERT INTO meta (key, value) VALUES (?1, ?2)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
      """, doing: "write to")
    row.bind(1, key.rawValue)
    row.bind(2, value)
    try row.run()
  }
}
