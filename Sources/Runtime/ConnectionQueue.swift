#if canImport(Glibc)
  import Glibc
#endif

/// The pending connections of a listening socket.
///
/// When the process or the system is out of descriptors, accept(2) fails and the connection stays
/// pending, so that a level-triggered loop would wake at once, endlessly. One descriptor is
/// therefore kept in reserve: it makes room for one client even then.
final class ConnectionQueue {
  private let listener: Int32
  private var reserve: Int32 = -1

  init(_ listener: Int32) {
    self.listener = listener
    refillReserve()
  }

  deinit { if reserve >= 0 { close(reserve) } }

  enum Outcome: Equatable {
    /// A non-blocking descriptor.
    case connection(Int32)
    /// The client has gone.
    case nothing
    /// The process or the system has no descriptor left.
    case noDescriptor(Int32)
    /// Out of memory, or another error that the next call would repeat.
    case failure(Int32)
  }

  func next() -> Outcome {
    let descriptor = accept(listener, nil, nil)
    if descriptor >= 0 {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      return .connection(descriptor)
    }
    switch errno {
    case EAGAIN, EINTR, ECONNABORTED: return .nothing
    case EMFILE, ENFILE: return .noDescriptor(errno)
    default: return .failure(errno)
    }
  }

  /// Makes room for one client. Returns whether there was a reserve.
  func spendReserve() -> Bool {
    guard reserve >= 0 else { return false }
    close(reserve)
    reserve = -1
    return true
  }

  /// To be called when a client has disconnected.
  func refillReserve() {
    if reserve < 0 { reserve = open("/dev/null", O_RDONLY | O_CLOEXEC) }
  }
}
