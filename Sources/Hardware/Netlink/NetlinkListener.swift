import Glibc
import Platform

/// Receives the kernel's notices of some groups. No requests are sent on its socket, so that
/// answers and notices cannot be confused.
final class NetlinkListener {
  /// Notices are short: the longest, of an interface with all possible attributes, take 2 kB.
  private static let room = 8192
  /// Datagrams read at once: they may arrive faster than they are read.
  private static let maxDatagrams = 256

  private let socket: NetlinkSocket
  var descriptor: Int32 { socket.descriptor }

  init(_ bus: NetlinkBus, groups: [UInt32]) throws(SystemError) {
    socket = try NetlinkSocket(bus)
    for group in groups { try socket.join(group) }
  }

  func join(_ group: UInt32) throws(SystemError) { try socket.join(group) }

  func leave(_ group: UInt32) { socket.leave(group) }

  /// The result of one read.
  struct ReadResult: Equatable, Sendable {
    /// 0: none waited.
    var datagrams = 0
    /// Whether the kernel had to drop notices: the known state is out of date.
    var hasLost = false
  }

  /// Reads the waiting notices.
  func read(_ body: (NetlinkMessage) -> Void) throws(SystemError) -> ReadResult {
    var taken = ReadResult()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.room, alignment: 8)
    defer { buffer.deallocate() }
    while taken.datagrams < Self.maxDatagrams {
      switch try socket.receive(buffer) {
      case .nothing: return taken
      case .overrun, .tooLong: taken.hasLost = true
      case .bytes(let count):
        NetlinkMessage.forEach(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]), body)
      }
      taken.datagrams += 1
    }
    return taken
  }
}
