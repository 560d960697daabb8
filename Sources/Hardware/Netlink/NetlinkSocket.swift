import CNetlink
import Glibc
import Platform

/// Which part of the kernel a socket talks with.
public enum NetlinkBus: Sendable {
  /// Interfaces, routes and neighbours (rtnetlink(7)).
  case route
  /// Families that have names, such as nl80211.
  case generic

  fileprivate var number: Int32 {
    switch self {
    case .route: NETLINK_ROUTE
    case .generic: NETLINK_GENERIC
    }
  }
}

/// A netlink socket that never waits.
///
/// Only the kernel, and programs that may do anything to the network, can send to it: both buses
/// refuse the messages of others (NL_CFG_F_NONROOT_SEND, which neither has; netlink_sendmsg in
/// net/netlink/af_netlink.c).
final class NetlinkSocket {
  /// Of notices that were not taken yet the kernel keeps so many bytes (twice as many as asked for,
  /// with its own); the rest is lost, and it says so.
  private static let queue: Int32 = 32_768

  private let socket: OpaquePointer
  var descriptor: Int32 { mnl_socket_get_fd(socket) }

  init(_ bus: NetlinkBus) throws(SystemError) {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard let socket = mnl_socket_open2(bus.number, flags) else { throw .last }
    self.socket = socket
    var size = Self.queue
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    // Refusals come with a text where the kernel has one (Linux 4.12), and without the request.
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

  /// Takes one datagram out of the queue.
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
