import Platform
import Core

/// Detects whether a file was replaced or written to.
struct FileStamp: Equatable {
  private let identity: FileIdentity
  let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  private init(_ status: FileStatus) {
    identity = status.identity
    size = Int64(status.kernel.st_size)
    seconds = Int64(status.kernel.st_mtim.tv_sec)
    nanoseconds = Int64(status.kernel.st_mtim.tv_nsec)
  }

  /// Nil if there is no such file.
  init?(path: String) {
    guard let status = FileStatus(path: path) else { return nil }
    self.init(status)
  }

  init?(descriptor: Int32) {
    guard let status = FileStatus(descriptor: descriptor) else { return nil }
    self.init(status)
  }

  /// Whether it was written within these seconds, by the system's clock, which also dates files.
  func isWritten(within limit: Int64) -> Bool {
    let now = BootClock.systemDate.nanoseconds / 1_000_000_000
    return (now - seconds).magnitude < UInt64(limit)
  }
}
