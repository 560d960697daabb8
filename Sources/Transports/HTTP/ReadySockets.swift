import CShims
import CLinux
import Glibc
import Platform

/// libcurl's sockets, in one descriptor that is ready when any of them is (epoll(7)).
final class ReadySockets {
  let descriptor: Int32

  /// - Throws: if no descriptor is left.
  init() throws(SystemError) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw .last }
  }

  deinit { close(descriptor) }

  /// Starts or stops watching a socket.
  /// - Parameter what: one of libcurl's CURL_POLL_ numbers.
  func watch(_ socket: Int32, for what: Int32) {
    guard what != CURL_POLL_REMOVE else {
      // It may be closed already, and was removed by that.
      epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil)
      return
    }
    var event = epoll_event()
    event.data.fd = socket
    if what & CURL_POLL_IN != 0 { event.events |= EPOLLIN.rawValue }
    if what & CURL_POLL_OUT != 0 { event.events |= EPOLLOUT.rawValue }
    if epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event) != 0 {
      epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
    }
  }

  private static let most = 32

  /// The sockets that are ready now, each with libcurl's CURL_CSELECT_ bits.
  func ready() -> [(socket: Int32, events: Int32)] {
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.most) { room in
      guard let first = room.baseAddress else { return [] }
      let count = epoll_wait(descriptor, first, Int32(Self.most), 0)
      guard count > 0 else { return [] }
      return room.prefix(Int(count)).map { event in
        let (reads, writes) = (EPOLLIN.rawValue | EPOLLHUP.rawValue, EPOLLOUT.rawValue)
        var events: Int32 = 0
        if event.events & reads != 0 { events |= CURL_CSELECT_IN }
        if event.events & writes != 0 { events |= CURL_CSELECT_OUT }
        if event.events & EPOLLERR.rawValue != 0 { events |= CURL_CSELECT_ERR }
        return (event.data.fd, events)
      }
    }
  }
}
