import CNetlink
import Glibc

/// A network interface, from rtnetlink (RTM_NEWLINK).
struct NetworkLink: Equatable {
  let index: UInt32
  let name: String
  /// Whether it is up and has a carrier: a plugged cable, a joined Wi-Fi.
  let isRunning: Bool
  /// Whether stations on it have hardware addresses. Modems, tunnels and the loopback have none.
  let hasStations: Bool

  init(index: UInt32, name: String, isRunning: Bool, hasStations: Bool = true) {
    self.index = index
    self.name = name
    self.isRunning = isRunning
    self.hasStations = hasStations
  }

  /// Nil: the message is about no interface.
  init?(_ message: NetlinkMessage) {
    guard message.type == UInt16(RTM_NEWLINK),
      let (head, attributes) = message.split(ifinfomsg.self),
      let index = UInt32(exactly: head.ifi_index)
    else { return nil }
    self.index = index
    name = attributes.first(UInt32(IFLA_IFNAME))?.text ?? ""
    let running = UInt32(IFF_UP | IFF_RUNNING)
    isRunning = head.ifi_flags & running == running
    let without = UInt32(IFF_LOOPBACK | IFF_POINTOPOINT | IFF_NOARP)
    hasStations = head.ifi_flags & without == 0
  }
}
