import Glibc
import Platform

/// Hears the kernel's notices of some groups. Nothing is asked for on its socket, so that answers
/// and notices cannot be taken for one another.
public final class NetlinkListener {
  /// Notices are short: the longest, of an interface with everything it can have, take 2 kB.
  private static let room = 8192
  /// Of datagrams taken at once: someone may send them faster than they are read.
  private static let maxDatagrams = 256

  private let socket: NetlinkSocket
  public var descriptor: Int32 { socket.descriptor }

  public init(_ bus: NetlinkBus, groups: [UInt32]) throws(SystemError) {
    socket = try NetlinkSocket(bus)
    for group in groups { try socket.join(group) }
  }

  public func join(_ group: UInt32) throws(SystemError) { try socket.join(group) }

  public func leave(_ group: UInt32) { socket.leave(group) }

  /// What was there to take.
  public struct Taken: Equatable, Sendable {
    /// 0: nothing was.
    public var datagrams = 0
    /// Whether the kernel had to drop notices: what is known is out of date.
    public var hasLost = false
  }

  /// Takes what waits.
  public func take(_ body: (NetlinkMessage) -> Void) throws(SystemError) -> Taken {
    var taken = Taken()
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
