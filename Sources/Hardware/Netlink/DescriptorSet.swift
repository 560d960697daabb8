import CLinux
import CNetlink
import Glibc
import Platform

/// Several descriptors as one, which is ready while any of them is (epoll(7)).
final class DescriptorSet {
  let descriptor: Int32

  init() throws(SystemError) {
    let opened = epoll_create1(Int32(EPOLL_CLOEXEC))
    // Before everything is initialized: `deinit` would close -1 and overwrite errno.
    guard opened >= 0 else { throw .last }
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// A descriptor is removed automatically when it is closed.
  func add(
    _ member: Int32, reads: Bool = true, writes: Bool = false
  ) throws(SystemError) {
    let events = (reads ? EPOLLIN.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0)
    var event = epoll_event(events: events, data: epoll_data_t(fd: member))
    guard epoll_ctl(descriptor, EPOLL_CTL_ADD, member, &event) == 0 else { throw .last }
  }

  /// A descriptor that is not in the set is ignored.
  func remove(_ member: Int32) { _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, member, nil) }
}
