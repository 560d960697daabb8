import Glibc
import Platform
import Ports

/// The right to be the only one that sends what waits in an outbox: two would send it twice. Who
/// only looks, or queues more, needs none.
///
/// A flock(2) on a file beside the outbox: on the outbox itself, closing it would end SQLite's own
/// locks of this process (fcntl(2)).
public final class OutboxLock {
  private let descriptor: Int32

  /// - Throws: when another process has it.
  public init(path: String) throws(OutboxError) {
    let file = path + "-lock"
    descriptor = try Self.open(file)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let error = SystemError.last
      close(descriptor)
      throw OutboxError(
        error.code == EWOULDBLOCK
          ? "another godwit uplink sends what waits in \(path): end that one (systemctl stop "
            + "godwit-uplink.service), or let it do so"
          : "\(file) cannot be locked (\(error.text))")
    }
  }

  private static func open(_ file: String) throws(OutboxError) -> Int32 {
    do throws(SystemError) {
      return try PrivateFile.make(file)
    } catch {
      guard error.code == EEXIST else { throw failure(file, "made", error) }
    }
    let descriptor = Glibc.open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw failure(file, "opened", .last) }
    return descriptor
  }

  private static func failure(_ file: String, _ what: String, _ error: SystemError) -> OutboxError {
    OutboxError("\(file) cannot be \(what) (\(error.text)): look at it and at its folder")
  }

  deinit { close(descriptor) }
}
