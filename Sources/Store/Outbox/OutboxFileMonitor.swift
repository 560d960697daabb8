import Platform

/// Notices that an open outbox is no longer what is found at its path: that it was deleted, moved
/// or replaced, or what SQLite keeps beside it was. SQLite goes on with the files that it has open,
/// and a pause that is said then goes into others.
struct OutboxFileMonitor {
  private let files: [(path: String, identity: FileIdentity?)]

  /// - Parameter path: of one that SQLite has read, so that the files beside it are there.
  init(path: String) {
    files = ["", "-wal", "-shm"].map { (path + $0, FileIdentity(path: path + $0)) }
  }

  var isInPlace: Bool { files.allSatisfy { FileIdentity(path: $0.path) == $0.identity } }
}
