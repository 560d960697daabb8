import CLinux
import Glibc
import Platform
import Ports

/// The kernel's messages about one device (lib/kobject_uevent.c): a filter in the kernel drops
/// those about others, so that they cause no wake.
///
/// The content of a message is not used; it is only a reason to read the device again.
final class UeventSocket {
  let descriptor: Int32
  /// A few messages; an overflow counts as one more message.
  private static let room: Int32 = 16_384
  private static let maxReads = 32

  /// - Parameters:
  ///   - actions: "change", "remove".
  ///   - device: its path below sysfs: "/devices/platform/usb/power_supply/usb".
  init(_ actions: [String], of device: String) throws(PortError) {
    let opened = socket(
      AF_NETLINK,
      Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        | Int32(SOCK_NONBLOCK.rawValue), Int32(NETLINK_KOBJECT_UEVENT))
    // Before everything is initialized: `deinit` would close -1 and overwrite errno.
    guard opened >= 0 else { throw Self.refused(.last) }
    descriptor = opened
    var room = Self.room
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout.size(ofValue: room)))
    let program = PrefixFilter(actions.map { Array("\($0)@\(device)\0".utf8) })
    // `deinit` closes after a throw, too.
    guard program.attach(to: descriptor), bind() else { throw Self.refused(.last) }
  }

  deinit { close(descriptor) }

  /// The kernel's own group; udev sends its messages to another.
  private func bind() -> Bool {
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = 1
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size)) == 0
      }
    }
  }

  /// Reads the waiting messages, and never blocks.
  /// - Returns: how many there were, lost ones counting as one.
  func readMessages() -> Int {
    var taken = 0
    var byte: UInt8 = 0
    while taken < Self.maxReads {
      let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
      guard count >= 0 || errno == ENOBUFS || errno == EINTR else { break }
      taken += 1
    }
    return taken
  }

  private static func refused(_ error: SystemError) -> PortError {
    PortError(
      "the kernel's device events are not available (\(error.text)); the service needs "
        + "AF_NETLINK in RestrictAddressFamilies=")
  }
}
