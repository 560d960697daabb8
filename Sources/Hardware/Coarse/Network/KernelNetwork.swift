import CNetlink
import Glibc
import Platform

/// The part of the kernel's interface that the network source uses.
protocol NetworkKernel: AnyObject {
  /// Ready while notices wait.
  var descriptor: Int32 { get }
  /// Whether notices about neighbours are received as well.
  var receivesNeighbours: Bool { get set }
  /// Reads the kernel's notices.
  func readNotices() throws(NetlinkRefusal) -> NetworkEvent
  /// Reads the present state.
  func currentView() throws(NetlinkRefusal) -> NetworkView
}

struct NetworkEvent: Equatable {
  /// How many notices there were.
  var count = 0
  /// Whether any of them can change the network's name.
  var matters = false
}

/// The kernel's notices of interfaces, routes and Wi-Fi, and its answers. A notice only triggers a
/// query of the whole state, so that a lost one leaves nothing wrong behind.
final class KernelNetwork: NetworkKernel {
  private static let maxLinks = 256
  private static let maxRoutes = 256

  private let interface: String?
  private let descriptors: DescriptorSet
  private let listener: NetlinkListener
  /// For Wi-Fi notices, while the kernel has Wi-Fi.
  private var wireless: (kernel: WirelessKernel, listener: NetlinkListener)?
  private var links: [UInt32: NetworkLink] = [:]
  private var awaited: [DefaultRoute.Gateway] = []
  /// The kernel forgets unused neighbours; a gateway's address stays valid until the interface
  /// loses its carrier.
  private var resolved: [DefaultRoute.Gateway: HardwareAddress] = [:]

  var descriptor: Int32 { descriptors.descriptor }

  init(interface: String?) throws(SystemError) {
    self.interface = interface
    descriptors = try DescriptorSet()
    listener = try NetlinkListener(
      .route,
      groups: [RTNLGRP_LINK, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE].map(\.rawValue))
    try descriptors.add(listener.descriptor)
  }

  /// Notices come every half a minute or so, about any neighbour: they are received only as long as
  /// needed.
  var receivesNeighbours = false {
    didSet {
      guard receivesNeighbours != oldValue else { return }
      if receivesNeighbours {
        // If this fails, the address is found at the next notice.
        try? listener.join(RTNLGRP_NEIGH.rawValue)
      } else {
        listener.leave(RTNLGRP_NEIGH.rawValue)
      }
    }
  }

  // MARK: Notices

  func readNotices() throws(NetlinkRefusal) -> NetworkEvent {
    var news = NetworkEvent()
    do {
      let routes = try listener.read { news.matters = matters($0) || news.matters }
      let radios = try wireless?.listener.read { news.matters = Self.isJoining($0) || news.matters }
      if routes.hasLost { resolved = [:] }
      news.matters = news.matters || routes.hasLost || radios?.hasLost ?? false
      news.count = routes.datagrams + (radios?.datagrams ?? 0)
    } catch {
      throw NetlinkRefusal(error)
    }
    return news
  }

  private func matters(_ message: NetlinkMessage) -> Bool {
    switch Int(message.type) {
    case Int(RTM_NEWLINK):
      guard let link = NetworkLink(message) else { return false }
      if !link.isRunning { forget(on: link.index) }
      // Scans and statistics are reported as interface notices, too.
      return links[link.index] != link
    case Int(RTM_DELLINK): return true
    case Int(RTM_NEWROUTE), Int(RTM_DELROUTE): return DefaultRoute.concerns(message)
    case Int(RTM_NEWNEIGH):
      guard let one = NetworkNeighbour(message), one.address != nil else { return false }
      return awaited.contains(one.gateway)
    default: return false
    }
  }

  private static func isJoining(_ message: NetlinkMessage) -> Bool {
    guard let (head, _) = message.split(genlmsghdr.self) else { return false }
    return [NL80211_CMD_CONNECT, NL80211_CMD_ROAM, NL80211_CMD_DISCONNECT]
      .contains { $0.rawValue == UInt32(head.cmd) }
  }

  private func forget(on interface: UInt32) {
    resolved = resolved.filter { $0.key.interface != interface }
  }

  // MARK: Present state

  func currentView() throws(NetlinkRefusal) -> NetworkView {
    try listenToWireless()
    let inquiry = try NetlinkQuery(.route)
    links = try Self.links(inquiry)
    let counted = links.values.filter { interface == nil || $0.name == interface }
    for link in links.values where !link.isRunning { forget(on: link.index) }
    let routes = try Self.routes(inquiry, AF_INET) + Self.routes(inquiry, AF_INET6)
    var asked: [DefaultRoute.Gateway: HardwareAddress] = [:]
    for gateway in routes.map(\.gateway) where asked[gateway] == nil {
      asked[gateway] = try Self.address(inquiry, gateway) ?? resolved[gateway]
    }
    resolved = asked
    let view = NetworkView(
      links: counted, routes: routes, joined: try joined(), neighbour: { asked[$0] })
    awaited = view.awaited
    return view
  }

  private func listenToWireless() throws(NetlinkRefusal) {
    let kernel = try WirelessKernel.present()
    guard kernel != wireless?.kernel else { return }
    wireless = nil
    guard let kernel, let group = kernel.group("mlme") else { return }
    do {
      let listener = try NetlinkListener(.generic, groups: [group])
      try descriptors.add(listener.descriptor)
      wireless = (kernel, listener)
    } catch {
      throw NetlinkRefusal(error)
    }
  }

  private func joined() throws(NetlinkRefusal) -> [UInt32: HardwareAddress] {
    guard let kernel = wireless?.kernel else { return [:] }
    var joined: [UInt32: HardwareAddress] = [:]
    for station in try kernel.stations() where links[station.index]?.isRunning ?? false {
      joined[station.index] = try kernel.joined(on: station.index)
    }
    return joined
  }

  private static func links(_ inquiry: NetlinkQuery) throws(NetlinkRefusal)
    -> [UInt32: NetworkLink]
  {
    let request = NetlinkRequest(type: UInt16(RTM_GETLINK), isDump: true, header: ifinfomsg())
    return try inquiry.run(request, from: [:]) { links, message in
      guard links.count < maxLinks, let link = NetworkLink(message) else { return }
      links[link.index] = link
    }
  }

  private static func routes(_ inquiry: NetlinkQuery, _ family: Int32) throws(NetlinkRefusal)
    -> [DefaultRoute]
  {
    var head = rtmsg()
    head.rtm_family = UInt8(family)
    let request = NetlinkRequest(type: UInt16(RTM_GETROUTE), isDump: true, header: head)
    do {
      return try inquiry.run(request, from: []) { routes, message in
        guard routes.count < maxRoutes else { return }
        routes += DefaultRoute.all(in: message)
      }
    } catch {
      // A kernel without IPv6 has no such routes.
      guard error.error.code == EOPNOTSUPP || error.error.code == EAFNOSUPPORT else { throw error }
      return []
    }
  }

  private static func address(
    _ inquiry: NetlinkQuery, _ gateway: DefaultRoute.Gateway
  ) throws(NetlinkRefusal) -> HardwareAddress? {
    do {
      return try inquiry.run(NetworkNeighbour.request(gateway), from: nil) { found, message in
        found = found ?? NetworkNeighbour(message)?.address
      }
    } catch {
      // The address was not resolved yet; or the interface has just gone.
      guard error.error.code == ENOENT || error.error.code == ENODEV else { throw error }
      return nil
    }
  }
}
