import Foundation

/// Another writer that never finishes. It holds the lock by which SQLite allows one writer at a
/// time (WAL_WRITE_LOCK: byte 120 of the file FILE-shm, wal.c).
final class WriteLock {
  private let descriptor: Int32

  init(_ store: String) throws {
    descriptor = open(store + "-shm", O_RDWR | O_CLOEXEC)
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = 120
    range.l_len = 1
    guard descriptor >= 0, fcntl(descriptor, F_SETLK, &range) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  deinit { close(descriptor) }
}
