import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// Gives the room of deleted records back to the disk. SQLite does it as one transaction of its
/// log: a power cut undoes it, readers go on, and whoever waits to write a label writes into the
/// same file afterwards. No daemon may run, as it would wait too long.
public struct StoreCompaction: Sendable {
  /// The file with its log.
  public let bytesBefore: Int
  public let bytesAfter: Int

  public init(path: String) throws(StoreError) {
    // Opening for writing would make a new store where there is none.
    _ = try StoreReader(path: path)
    let files = StoreFiles(path)
    let store = try GeoPackageStore(path: path, lock: try StoreLock(path: path))
    bytesBefore = files.bytes
    // The rows in their new order need not fit into memory.
    try store.connection.execute("PRAGMA temp_store = FILE", doing: "open")
    try store.connection.execute("VACUUM", doing: "compact")
    try store.close()
    bytesAfter = files.bytes
  }
}
