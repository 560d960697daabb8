import CSQLite
import Platform
import Ports

/// SQLite's handle of one open file, shared by a connection and its statements: the file is closed
/// when the last of them is released, so a cursor stays valid after its connection was replaced.
///
/// Statements refer to this rather than to their connection, which owns statements itself: two that
/// refer to each other would never be released, nor the file's descriptors.
final class ConnectionHandle {
  let pointer: OpaquePointer
  /// The limits for statements; SQLite refers to this object as long as the file is open.
  let limits: ConnectionLimits
  /// The file's name in messages.
  let name: String
  let path: String
  /// The purpose for which the file is open.
  private let use: FileAccess.Use
  /// The stamp of the file when it was opened as immutable.
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

  /// Closes the file. Remaining statements can only be finalized after that.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    limits.end()
    sqlite3_close_v2(pointer)
    lock?.release()
  }

  /// Immutable files are read without locks: the result is valid only without a write meanwhile.
  func checkUnchanged() throws(PortError) {
    guard let stamp, FileStamp(path: path) != stamp else { return }
    throw .busy("the store \(name) was changed while it was being read; run the command again")
  }

  /// The last failure.
  func failure(doing action: String) -> PortError {
    PortError(pointer, path: name, doing: action, use)
  }
}
