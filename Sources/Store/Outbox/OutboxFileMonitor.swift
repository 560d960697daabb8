import Platform

/// Detects that an open outbox is no longer the file at its path: it, or a file that SQLite keeps
/// beside it, was deleted, moved or replaced. SQLite goes on with the files that it has open, and a
/// newly added pause would go into the others.
struct OutboxFileMonitor {
  private let files: [(path: String, identity: FileIdentity?)]

  /// - Parameter path: of an outbox that SQLite has read, so that the files beside it exist.
  init(path: String) {
    files = ["", "-wal", "-shm"].map { (path + $0, FileIdentity(path: path + $0)) }
  }

  var isInPlace: Bool { files.allSatisfy { FileIdentity(path: $0.path) == $0.identity } }
}
