import CNetlink
import Glibc
import Platform

/// Which part of the kernel a socket is connected to.
enum NetlinkBus: Sendable {
  /// Interfaces, routes and neighbours (rtnetlink(7)).
  case route
  /// Families with names, such as nl80211.
  case generic

  fileprivate var number: Int32 {
    switch self {
    case .route: NETLINK_ROUTE
    case .generic: NETLINK_GENERIC
    }
  }
}

/// A non-blocking netlink socket.
///
/// Only the kernel, and programs with full network administration rights, can send to it: both
/// buses refuse the messages of others (NL_CFG_F_NONROOT_SEND, which neither has; netlink_sendmsg
/// in net/netlink/af_netlink.c).
final class NetlinkSocket {
  /// Receive buffer for unread notices, in bytes (the kernel doubles it for its own overhead);
  /// further notices are lost, and the kernel reports that.
  private static let queue: Int32 = 32_768

  private let socket: OpaquePointer
  var descriptor: Int32 { mnl_socket_get_fd(socket) }

  init(_ bus: NetlinkBus) throws(SystemError) {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard let socket = mnl_socket_open2(bus.number, flags) else { throw .last }
    self.socket = socket
    var size = Self.queue
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    // Errors come with a text if the kernel has one (Linux 4.12), and without the request.
    set(NETLINK_EXT_ACK, to: 1)
    set(NETLINK_CAP_ACK, to: 1)
    // Everything is initialized: `deinit` closes it also after this throw.
    guard mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) == 0 else { throw .last }
  }

  deinit { mnl_socket_close(socket) }

  func join(_ group: UInt32) throws(SystemError) {
    guard set(NETLINK_ADD_MEMBERSHIP, to: group) else { throw .last }
  }

  func leave(_ group: UInt32) { set(NETLINK_DROP_MEMBERSHIP, to: group) }

  @discardableResult
  private func set(_ option: Int32, to value: UInt32) -> Bool {
    var value = value
    let size = socklen_t(MemoryLayout<UInt32>.size)
    return mnl_socket_setsockopt(socket, option, &value, size) == 0
  }

  func send(_ bytes: [UInt8]) throws(SystemError) {
    guard mnl_socket_sendto(socket, bytes, bytes.count) == bytes.count else { throw .last }
  }

  enum Received { case bytes(Int), nothing, overrun, tooLong }

  /// Reads one datagram from the queue.
  func receive(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Received {
    while true {
      let count = mnl_socket_recvfrom(socket, buffer.baseAddress, buffer.count)
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      case ENOBUFS: return .overrun
      case ENOSPC: return .tooLong
      default: throw .last
      }
    }
  }
}
