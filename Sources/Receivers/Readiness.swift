import CLinux
import Glibc
import Platform

/// One descriptor that stands for others that come, change and go: readable when its member is
/// ready (epoll(7): an epoll descriptor can itself be polled). So the event loop registers it once
/// and only ever asks for readability.
final class Readiness {
  let descriptor: Int32
  private var member: Int32
  /// Always ready; a member while `stayReady`.
  private var alwaysReady: Int32 = -1
  private var staysReady = false

  /// Nil when the system has no descriptor or memory for it; `errno` says which.
  init?(of member: Int32) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    self.member = member
    guard descriptor >= 0, change(EPOLL_CTL_ADD, output: false) else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if alwaysReady >= 0 { close(alwaysReady) }
  }

  /// Whether room for output also counts as ready. Input and hang-ups always do.
  func expect(output: Bool) {
    let changed = change(EPOLL_CTL_MOD, output: output)
    precondition(changed, "epoll_ctl on descriptor \(member): \(SystemError.last.text)")
  }

  /// Whether it is ready whatever the member is: for a member that does not signal when it takes
  /// output.
  ///
  /// - Returns: false when the system has no descriptor or memory for it; `errno` says which.
  func stayReady(_ stay: Bool) -> Bool {
    guard stay != staysReady else { return true }
    if alwaysReady < 0 {
      alwaysReady = eventfd(1, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      guard alwaysReady >= 0 else { return false }
    }
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    guard epoll_ctl(descriptor, stay ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, alwaysReady, &event) == 0
    else {
      return false
    }
    staysReady = stay
    return true
  }

  /// - Returns: false when the system has no memory for it; `errno` says more.
  func replaceMember(with other: Int32) -> Bool {
    epoll_ctl(descriptor, EPOLL_CTL_DEL, member, nil)
    member = other
    return change(EPOLL_CTL_ADD, output: false)
  }

  private func change(_ operation: Int32, output: Bool) -> Bool {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | (output ? EPOLLOUT.rawValue : 0)
    return epoll_ctl(descriptor, operation, member, &event) == 0
  }
}
