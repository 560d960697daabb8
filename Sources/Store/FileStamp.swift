#if canImport(Glibc)
  import Glibc
#endif

/// Tells whether a file was replaced or written to.
struct FileStamp: Equatable {
  private let identity: FileIdentity
  let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  private init(_ status: stat) {
    identity = FileIdentity(status)
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }

  /// Nil when there is no such file.
  init?(path: String) {
    guard let status = FileStatus(path: path) else { return nil }
    self.init(status.kernel)
  }

  init?(descriptor: Int32) {
    guard let status = FileStatus(descriptor: descriptor) else { return nil }
    self.init(status.kernel)
  }

  /// Whether it was written to within these seconds, by the system's clock, which also dates files.
  func isWritten(within limit: Int64) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return (Int64(now.tv_sec) - seconds).magnitude < UInt64(limit)
  }
}
