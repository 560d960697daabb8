import CNetlink

/// A family of generic netlink: the kernel assigns numbers to it and its groups when it is loaded.
struct GenericFamily: Equatable, Sendable {
  /// The group with notices of families that appear and disappear. The controller is the one family
  /// whose numbers are fixed (GENL_ID_CTRL; net/netlink/genetlink.c).
  static let arrivals = UInt32(NLMSG_MIN_TYPE)
  private static let maxGroups = 32

  var number: UInt16 = 0
  var groups: [String: UInt32] = [:]

  /// Nil: this kernel has no such family at present. All are listed, because a request by name
  /// would make the kernel search for a module with it each time (ctrl_getfamily in genetlink.c).
  static func named(_ name: String) throws(NetlinkRefusal) -> GenericFamily? {
    let inquiry = try NetlinkQuery(.generic)
    let request = NetlinkRequest(
      family: UInt16(NLMSG_MIN_TYPE), command: UInt8(CTRL_CMD_GETFAMILY), isDump: true)
    return try inquiry.run(request, from: nil) { found, message in
      found = found ?? GenericFamily(message, named: name)
    }
  }

  /// Nil: the message is about another family, or about none.
  init?(_ message: NetlinkMessage, named name: String) {
    guard let (_, attributes) = message.split(genlmsghdr.self),
      attributes.first(UInt32(CTRL_ATTR_FAMILY_NAME))?.text == name,
      let number: UInt16 = attributes.first(UInt32(CTRL_ATTR_FAMILY_ID))?.value()
    else { return nil }
    self.number = number
    guard let listed = attributes.first(UInt32(CTRL_ATTR_MCAST_GROUPS)) else { return }
    for group in listed.nested.prefix(Self.maxGroups) {
      guard let name = group.nested.first(UInt32(CTRL_ATTR_MCAST_GRP_NAME))?.text,
        let number: UInt32 = group.nested.first(UInt32(CTRL_ATTR_MCAST_GRP_ID))?.value()
      else { continue }
      groups[name] = number
    }
  }
}
