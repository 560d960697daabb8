import CLinux
import Glibc

/// One descriptor that stands for several: readable when any of them is ready (epoll(7): an epoll
/// descriptor can itself be polled). It stays the same while its members come, change and go, so
/// the event loop registers it once and only ever asks for readability.
final class Readiness {
  let descriptor: Int32

  /// Nil when the process has no descriptors left; `errno` says why.
  init?() {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Waits for input on `member`, and for room for output when `output`. Hang-ups always count.
  func watch(_ member: Int32, output: Bool = false) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | (output ? EPOLLOUT.rawValue : 0)
    event.data.fd = member
    if epoll_ctl(descriptor, EPOLL_CTL_MOD, member, &event) != 0 {
      let added = epoll_ctl(descriptor, EPOLL_CTL_ADD, member, &event)
      precondition(added == 0, "epoll_ctl on descriptor \(member): \(systemMessage(errno))")
    }
  }

  func forget(_ member: Int32) { epoll_ctl(descriptor, EPOLL_CTL_DEL, member, nil) }
}

/// The system's words for an error number.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
