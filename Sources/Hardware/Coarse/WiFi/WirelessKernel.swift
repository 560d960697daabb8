import CNetlink

/// The kernel's Wi-Fi, queried over nl80211 (include/uapi/linux/nl80211.h). No privilege is needed.
struct WirelessKernel: Equatable {
  static let maxInterfaces = 16

  let family: GenericFamily

  /// Nil: it is not loaded.
  static func present() throws(NetlinkRefusal) -> WirelessKernel? {
    try GenericFamily.named("nl80211").map(WirelessKernel.init)
  }

  /// The number of a group of notices; nil: the kernel does not have it.
  func group(_ name: String) -> UInt32? { family.groups[name] }

  /// The interfaces that join networks as a station.
  func stations() throws(NetlinkRefusal) -> [WirelessInterface] {
    let inquiry = try NetlinkQuery(.generic)
    let request = NetlinkRequest(
      family: family.number, command: UInt8(NL80211_CMD_GET_INTERFACE.rawValue), isDump: true)
    let found = try inquiry.run(request, from: [WirelessInterface]()) { found, message in
      guard found.count < Self.maxInterfaces, let one = WirelessInterface(message), one.isStation
      else { return }
      found.append(one)
    }
    return found.sorted { $0.index < $1.index }
  }

  /// The kernel's cache for an interface (entries are kept for 30 s after a scan,
  /// IEEE80211_SCAN_RESULT_EXPIRE in net/wireless/scan.c), and the access point that it is joined
  /// to.
  func cachedScan<Answer>(
    on interface: UInt32, from start: Answer, _ take: (inout Answer, NetlinkMessage) -> Void
  ) throws(NetlinkRefusal) -> Answer {
    var request = NetlinkRequest(
      family: family.number, command: UInt8(NL80211_CMD_GET_SCAN.rawValue), isDump: true)
    request.add(NL80211_ATTR_IFINDEX.rawValue, interface)
    return try NetlinkQuery(.generic).run(request, from: start, take)
  }

  /// The access point that a station is joined to. nl80211 itself keeps it for every driver; not
  /// all drivers list it as a station (brcmfmac does not).
  func joined(on interface: UInt32) throws(NetlinkRefusal) -> HardwareAddress? {
    try cachedScan(on: interface, from: nil) { joined, message in
      guard joined == nil, let one = ScannedAccessPoint(message, at: .zero), one.isJoined
      else { return }
      joined = one.address
    }
  }
}

/// An interface of a Wi-Fi device.
struct WirelessInterface: Equatable {
  let index: UInt32
  let name: String
  /// Whether it joins networks, rather than being an access point or a monitor.
  let isStation: Bool

  /// Nil: the message is about no interface, or about one without a network device (P2P-device).
  init?(_ message: NetlinkMessage) {
    guard let (_, attributes) = message.split(genlmsghdr.self),
      let index: UInt32 = attributes.first(NL80211_ATTR_IFINDEX.rawValue)?.value(),
      let kind: UInt32 = attributes.first(NL80211_ATTR_IFTYPE.rawValue)?.value()
    else { return nil }
    self.index = index
    name = attributes.first(NL80211_ATTR_IFNAME.rawValue)?.text ?? ""
    isStation =
      kind == NL80211_IFTYPE_STATION.rawValue || kind == NL80211_IFTYPE_P2P_CLIENT.rawValue
  }
}
