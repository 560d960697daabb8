import CSQLite
import Platform
import Ports

/// SQLite's handle of one open file. A connection and its statements share it: the file is closed
/// when the last of them is gone, so a cursor goes on when its connection was replaced.
///
/// Statements refer to this rather than to their connection, which keeps statements itself: two
/// that refer to each other would never be released, nor the file's descriptors.
final class ConnectionHandle {
  let pointer: OpaquePointer
  /// What a statement may use; SQLite refers to them as long as the file is open.
  let limits: ConnectionLimits
  /// What messages call the file.
  let name: String
  let path: String
  /// What the connection needs the file for.
  private let use: FileAccess.Use
  /// The file as it was when it was opened as immutable.
  private let stamp: FileStamp?
  private let lock: StoreLock?
  private var isClosed = false

  /// - Parameter lock: released after the file is closed.
  init(
    _ pointer: OpaquePointer, _ limits: ConnectionLimits, name: String, path: String,
    for use: FileAccess.Use, stamp: FileStamp?, lock: StoreLock?
  ) {
    self.pointer = pointer
    self.limits = limits
    self.name = name
    self.path = path
    self.use = use
    self.stamp = stamp
    self.lock = lock
  }

  deinit { close() }

  var isImmutable: Bool { stamp != nil }

  /// Gives the file back. Statements that are left can only be finalized after that.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    limits.end()
    sqlite3_close_v2(pointer)
    lock?.release()
  }

  /// Immutable files are read without locks: what was read counts only if nobody wrote meanwhile.
  func checkUnchanged() throws(PortError) {
    guard let stamp, FileStamp(path: path) != stamp else { return }
    throw .busy("the store \(name) was changed while it was being read; run the command again")
  }

  /// What went wrong last.
  func failure(doing action: String) -> PortError {
    PortError(pointer, path: name, doing: action, use)
  }
}
