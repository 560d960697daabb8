import Glibc
import Platform
import Ports

/// The exclusive right to send the messages of an outbox: two processes would send them twice.
/// Reading it, or queuing more, needs no lock.
///
/// A lock of an open file (fcntl(2), F_OFD_SETLK), which can be queried without being acquired, on
/// a file beside the outbox: on the outbox itself, closing it would end SQLite's own locks of this
/// process.
public final class OutboxLock {
  private let descriptor: Int32
  /// F_OFD_SETLK and F_OFD_GETLK of <linux/fcntl.h>, which Glibc's module leaves out.
  private static let setLock: Int32 = 37
  private static let getLock: Int32 = 36

  /// - Throws: if another process has it.
  public init(path: String) throws(PortError) {
    let file = path + "-lock"
    descriptor = try Self.open(file)
    var lock = Self.whole
    guard fcntl(descriptor, Self.setLock, &lock) == 0 else {
      let error = SystemError.last
      close(descriptor)
      throw PortError(
        error.code == EAGAIN || error.code == EACCES
          ? "another godwit uplink sends the messages in \(path): end it (systemctl stop "
            + "godwit-uplink.service), or wait for its end"
          : "\(file) cannot be locked (\(error.text))")
    }
  }

  /// Whether a process has it. False if that cannot be determined.
  public static func isTaken(path: String) -> Bool {
    let descriptor = Glibc.open(path + "-lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var lock = whole
    return fcntl(descriptor, getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  private static var whole: flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    return lock
  }

  private static func open(_ file: String) throws(PortError) -> Int32 {
    do throws(SystemError) {
      return try PrivateFile.make(file)
    } catch {
      guard error.code == EEXIST else { throw failure(file, "made", error) }
    }
    let descriptor = Glibc.open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw failure(file, "opened", .last) }
    return descriptor
  }

  private static func failure(_ file: String, _ what: String, _ error: SystemError) -> PortError {
    PortError("\(file) cannot be \(what) (\(error.text)): check it and its folder")
  }

  deinit {
    // Closing alone would leave the lock to a child between fork(2) and exec(2).
    var lock = Self.whole
    lock.l_type = Int16(F_UNLCK)
    _ = fcntl(descriptor, Self.setLock, &lock)
    close(descriptor)
  }
}
