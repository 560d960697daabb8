import Platform
import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// Returns the space of deleted records to the disk. SQLite does it as one transaction of its log:
/// a power cut undoes it, readers go on, and a program that waits to write a label writes into the
/// same file afterwards. No daemon may run, as it would wait too long.
public struct StoreCompaction: Sendable {
  /// The main file, with everything in it.
  public let bytesBefore: Int
  public let bytesAfter: Int

  public init(path: String) throws(PortError) {
    // Opening for writing would create a store if there is none.
    _ = try StoreReader(path: path)
    let files = StoreFiles(path)
    try Self.requireRoom(for: files.bytes, at: files)
    let store = try GeoPackageStore(path: path, lock: try StoreLock(path: path))
    _ = try store.connection.checkpoint()
    bytesBefore = files.mainBytes
    // Sorting the rows need not fit into memory.
    try store.connection.execute("PRAGMA temp_store = FILE", doing: "open")
    try store.connection.execute("VACUUM", doing: "compact")
    try store.close()
    bytesAfter = files.mainBytes
  }

  /// The whole new file goes through the log, whose frames are a twentieth larger than the pages. A
  /// log that fills the disk would block even readers.
  private static func requireRoom(for bytes: Int, at files: StoreFiles) throws(PortError) {
    let needed = bytes + bytes / 20 + 65_536
    guard let free = FileSystem.freeBytes(at: files.main), free < needed else { return }
    throw .full(
      "cannot compact the store \(files.main): that temporarily needs \(needed / 1000) kB beside "
        + "it, but only \(free / 1000) kB are free; nothing was changed: free space there, or make "
        + "a backup on another disk, which is compact, and restore it here")
  }
}
