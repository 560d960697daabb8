import CNetlink
import Glibc

/// One hop of a default route in the main table.
struct DefaultRoute: Equatable {
  /// The Internet address of a gateway on an interface.
  struct Gateway: Hashable {
    /// AF_INET or AF_INET6.
    let family: UInt8
    /// 4 or 16 bytes.
    let address: [UInt8]
    let interface: UInt32

    /// Nil: not an address of that family.
    init?(family: UInt8, address: some Collection<UInt8>, interface: UInt32) {
      let length = family == UInt8(AF_INET) ? 4 : family == UInt8(AF_INET6) ? 16 : 0
      guard length > 0, address.count == length else { return nil }
      self.family = family
      self.address = Array(address)
      self.interface = interface
    }
  }

  let isIPv6: Bool
  /// The lowest counts. The kernel's own IPv6 ones have 1024, IPv4 ones 0.
  let metric: UInt32
  let gateway: Gateway

  /// The hops in a message: none, one, or each of a multipath route. Routes without a gateway
  /// (modems, tunnels) cannot be identified.
  static func all(in message: NetlinkMessage) -> [DefaultRoute] {
    guard message.type == UInt16(RTM_NEWROUTE), let (head, attributes) = message.split(rtmsg.self),
      isDefault(head, attributes)
    else { return [] }
    let metric: UInt32 = attributes.first(RTA_PRIORITY.rawValue)?.value() ?? 0
    var hops: [Gateway?] = []
    if let several = attributes.first(RTA_MULTIPATH.rawValue) {
      hops = Self.hops(several.payload, head.rtm_family)
    } else if let interface: UInt32 = attributes.first(RTA_OIF.rawValue)?.value() {
      hops = [gateway(attributes, head.rtm_family, interface, head.rtm_flags)]
    }
    return hops.compactMap { $0 }.map {
      DefaultRoute(isIPv6: head.rtm_family == UInt8(AF_INET6), metric: metric, gateway: $0)
    }
  }

  /// Whether a notice of a new or removed route is about a default route.
  static func concerns(_ message: NetlinkMessage) -> Bool {
    guard [RTM_NEWROUTE, RTM_DELROUTE].contains(where: { Int($0) == Int(message.type) }),
      let (head, attributes) = message.split(rtmsg.self)
    else { return false }
    return isDefault(head, attributes)
  }

  private static func isDefault(_ head: rtmsg, _ attributes: NetlinkAttributes) -> Bool {
    let table = attributes.first(RTA_TABLE.rawValue)?.value() ?? UInt32(head.rtm_table)
    return head.rtm_dst_len == 0 && Int(head.rtm_type) == Int(RTN_UNICAST)
      && table == UInt32(RT_TABLE_MAIN.rawValue)
      && head.rtm_flags & UInt32(RTM_F_CLONED) == 0
  }

  private static func gateway(
    _ attributes: NetlinkAttributes, _ family: UInt8, _ interface: UInt32, _ flags: UInt32
  ) -> Gateway? {
    guard flags & UInt32(RTNH_F_DEAD | RTNH_F_LINKDOWN) == 0 else { return nil }
    if let address = attributes.first(RTA_GATEWAY.rawValue)?.payload {
      return Gateway(family: family, address: address, interface: interface)
    }
    // An IPv4 route over an IPv6 gateway: struct rtvia, the family in two bytes, then the address.
    guard let via = attributes.first(RTA_VIA.rawValue)?.payload, via.count > 2 else { return nil }
    return Gateway(
      family: UInt8(truncatingIfNeeded: via.loadUnaligned(as: UInt16.self)),
      address: via.dropFirst(2), interface: interface)
  }

  /// Each is a struct rtnexthop with attributes of its own.
  private static func hops(_ bytes: UnsafeRawBufferPointer, _ family: UInt8) -> [Gateway?] {
    var hops: [Gateway?] = []
    var rest = bytes
    let size = MemoryLayout<rtnexthop>.size
    while rest.count >= size, hops.count < 16 {
      let head = rest.loadUnaligned(as: rtnexthop.self)
      let length = Int(head.rtnh_len)
      guard length >= size, length <= rest.count else { break }
      let attributes = NetlinkAttributes(UnsafeRawBufferPointer(rebasing: rest[size..<length]))
      if let interface = UInt32(exactly: head.rtnh_ifindex) {
        hops.append(gateway(attributes, family, interface, UInt32(head.rtnh_flags)))
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[min(rest.count, (length + 3) & ~3)...])
    }
    return hops
  }
}
