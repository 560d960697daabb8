import CNetlink

/// The station that has an Internet address, as resolved by the kernel (RTM_NEWNEIGH).
struct NetworkNeighbour: Equatable {
  let gateway: DefaultRoute.Gateway
  /// Nil: no answer, or not yet.
  let address: HardwareAddress?

  /// Nil: the message is about no neighbour.
  init?(_ message: NetlinkMessage) {
    guard message.type == UInt16(RTM_NEWNEIGH), let (head, attributes) = message.split(ndmsg.self),
      let interface = UInt32(exactly: head.ndm_ifindex),
      let destination = attributes.first(UInt32(NDA_DST))?.payload,
      let gateway = DefaultRoute.Gateway(
        family: head.ndm_family, address: destination, interface: interface)
    else { return nil }
    self.gateway = gateway
    // Present only in the states in which it is valid (NUD_VALID; neigh_fill_info in
    // net/core/neighbour.c).
    address = attributes.first(UInt32(NDA_LLADDR)).flatMap { HardwareAddress($0.payload) }
  }

  /// The request for one neighbour.
  static func request(_ gateway: DefaultRoute.Gateway) -> NetlinkRequest {
    let head = ndmsg(
      ndm_family: gateway.family, ndm_pad1: 0, ndm_pad2: 0,
      ndm_ifindex: Int32(clamping: gateway.interface), ndm_state: 0, ndm_flags: 0, ndm_type: 0)
    var request = NetlinkRequest(type: UInt16(RTM_GETNEIGH), isDump: false, header: head)
    request.add(UInt32(NDA_DST), gateway.address)
    return request
  }
}
