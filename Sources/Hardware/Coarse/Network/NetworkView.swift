/// What identifies the network that the board is joined to.
struct NetworkView: Equatable {
  /// Nil: the board is joined to none, or to none that can be told apart from others.
  var name: HardwareAddress?
  /// Gateways that would take precedence, if their addresses were known.
  var awaited: [DefaultRoute.Gateway] = []

  /// The route of the board's own packets decides: IPv4 before IPv6, then the lowest metric. If it
  /// goes over Wi-Fi, the access point identifies the network: that is nearer than its gateway,
  /// which a whole campus may share. A joined Wi-Fi that is not used for the route is second
  /// choice.
  ///
  /// - Parameters:
  ///   - routes: in the kernel's order, which decides between equals.
  ///   - joined: the access points of the joined Wi-Fi interfaces, by index.
  ///   - neighbour: the hardware address of a gateway; nil: not known.
  init(
    links: [NetworkLink], routes: [DefaultRoute], joined: [UInt32: HardwareAddress],
    neighbour: (DefaultRoute.Gateway) -> HardwareAddress?
  ) {
    let running = Dictionary(
      links.filter(\.isRunning).map { ($0.index, $0) }, uniquingKeysWith: { $1 })
    for route in routes.filter({ !$0.isIPv6 }).byMetric + routes.filter(\.isIPv6).byMetric {
      guard let link = running[route.gateway.interface] else { continue }
      name = joined[link.index]
      if name != nil { return }
      guard link.hasStations else { continue }
      guard let address = neighbour(route.gateway) else {
        if !awaited.contains(route.gateway) { awaited.append(route.gateway) }
        continue
      }
      guard !address.isShared else { continue }
      name = address
      return
    }
    name = joined.keys.sorted().first { running[$0] != nil }.flatMap { joined[$0] }
  }
}

extension [DefaultRoute] {
  /// The standard library's sort keeps the order of equals (Swift 5 and later).
  fileprivate var byMetric: [DefaultRoute] { sorted { $0.metric < $1.metric } }
}

extension HardwareAddress {
  /// Whether routers at many places have it, so that it identifies none of them: redundant routers
  /// share one of a few addresses.
  var isShared: Bool {
    isZero || isGroup
      // VRRP, and CARP with the same numbers, for IPv4 and IPv6 (RFC 9568, 7.3).
      || begins(with: 0x00_005e_0001, bits: 40) || begins(with: 0x00_005e_0002, bits: 40)
      // Cisco's HSRP, versions 1 and 2 for IPv4 (RFC 2281, 5.1) and 2 for IPv6, and GLBP.
      || begins(with: 0x00_000c_07ac, bits: 40) || begins(with: 0x00_000c_9ff, bits: 36)
      || begins(with: 0x00_0573_a00, bits: 36) || begins(with: 0x0007_b400, bits: 32)
  }
}
