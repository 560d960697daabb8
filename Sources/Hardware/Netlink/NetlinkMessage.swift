import CNetlink

/// One netlink message in a buffer. It is valid as long as the buffer is.
public struct NetlinkMessage {
  /// NLMSG_… below 16, else the bus's own (netlink(7)).
  let type: UInt16
  /// NLM_F_….
  let flags: UInt16
  /// That of the request that it answers; 0: it is a notice.
  let sequence: UInt32
  public let payload: UnsafeRawBufferPointer

  /// Calls the body for every message. A message that claims to be longer than the rest, or shorter
  /// than its header, ends the loop: the position of the next one is unknown then.
  /// - Parameter bytes: at an address divisible by four, as all memory from an allocator is.
  public static func forEach(
    in bytes: UnsafeRawBufferPointer, _ body: (NetlinkMessage) -> Void
  ) {
    guard let base = bytes.baseAddress else { return }
    var left = Int32(clamping: bytes.count)
    var next = base.assumingMemoryBound(to: nlmsghdr.self)
    // libmnl compares the length as a signed number: without the second check one beyond 2 GB would
    // pass.
    while mnl_nlmsg_ok(next, left), next.pointee.nlmsg_len <= UInt32(left) {
      body(NetlinkMessage(next))
      guard let following = mnl_nlmsg_next(next, &left) else { return }
      next = UnsafePointer(following)
    }
  }

  private init(_ header: UnsafePointer<nlmsghdr>) {
    type = header.pointee.nlmsg_type
    flags = header.pointee.nlmsg_flags
    sequence = header.pointee.nlmsg_seq
    payload = UnsafeRawBufferPointer(
      start: mnl_nlmsg_get_payload(header), count: mnl_nlmsg_get_payload_len(header))
  }

  /// The header before the attributes, and the attributes; nil: the message is too short.
  public func split<Header: BitwiseCopyable>(
    _ header: Header.Type
  ) -> (Header, NetlinkAttributes)? {
    guard payload.count >= MemoryLayout<Header>.size else { return nil }
    let end = min(payload.count, NetlinkAttributes.aligned(MemoryLayout<Header>.size))
    return (
      payload.loadUnaligned(as: Header.self),
      NetlinkAttributes(UnsafeRawBufferPointer(rebasing: payload[end...]))
    )
  }
}

/// The attributes of a message, or those within an attribute. An invalid one ends them.
public struct NetlinkAttributes: Sequence, IteratorProtocol {
  private var rest: UnsafeRawBufferPointer

  public init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  public mutating func next() -> NetlinkAttribute? {
    guard let base = rest.baseAddress else { return nil }
    let head = base.assumingMemoryBound(to: nlattr.self)
    guard mnl_attr_ok(head, Int32(clamping: rest.count)) else { return nil }
    let length = Int(head.pointee.nla_len)
    defer {
      let step = Swift.min(Self.aligned(length), rest.count)
      rest = UnsafeRawBufferPointer(rebasing: rest[step...])
    }
    return NetlinkAttribute(
      kind: mnl_attr_get_type(head),
      payload: UnsafeRawBufferPointer(rebasing: rest[MemoryLayout<nlattr>.size..<length]))
  }

  /// The first of a kind.
  func first(_ kind: UInt32) -> NetlinkAttribute? { first { $0.kind == kind } }

  static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}

/// One attribute. Its value is nil if its length is not that of the requested type.
public struct NetlinkAttribute {
  /// Without the flags in its upper bits (NLA_TYPE_MASK).
  let kind: UInt32
  public let payload: UnsafeRawBufferPointer

  init(kind: UInt16, payload: UnsafeRawBufferPointer) {
    self.kind = UInt32(kind)
    self.payload = payload
  }

  public func value<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type = Value.self
  ) -> Value? {
    guard payload.count == MemoryLayout<Value>.size else { return nil }
    return payload.loadUnaligned(as: Value.self)
  }

  /// Up to its NUL or its end.
  public var text: String { String(decoding: payload.prefix { $0 != 0 }, as: UTF8.self) }

  public var nested: NetlinkAttributes { NetlinkAttributes(payload) }
}
