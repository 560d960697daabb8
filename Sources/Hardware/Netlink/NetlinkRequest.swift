import CNetlink

/// A message to the kernel, without its sequence number.
struct NetlinkRequest {
  private(set) var bytes: [UInt8]
  let isDump: Bool

  /// - Parameters:
  ///   - isDump: whether all objects are requested, or one.
  ///   - header: the part before the attributes: a C structure without padding.
  init(type: UInt16, isDump: Bool, header: some BitwiseCopyable) {
    self.isDump = isDump
    // A dump ends by itself; a single answer is followed by a requested acknowledgement, so that
    // both end alike.
    let flags = NLM_F_REQUEST | (isDump ? NLM_F_ROOT | NLM_F_MATCH : NLM_F_ACK)
    bytes = Self.bytes(
      nlmsghdr(
        nlmsg_len: 0, nlmsg_type: type, nlmsg_flags: UInt16(flags), nlmsg_seq: 0, nlmsg_pid: 0))
    append(Self.bytes(header))
  }

  /// For generic netlink.
  init(family: UInt16, command: UInt8, isDump: Bool) {
    self.init(
      type: family, isDump: isDump, header: genlmsghdr(cmd: command, version: 1, reserved: 0))
  }

  mutating func add(_ kind: UInt32, _ value: UInt32) { add(kind, Self.bytes(value)) }

  /// - Parameter value: 0 to 65,531 bytes.
  mutating func add(_ kind: UInt32, _ value: [UInt8]) {
    let length = MemoryLayout<nlattr>.size + value.count
    append(
      Self.bytes(
        nlattr(nla_len: UInt16(clamping: length), nla_type: UInt16(truncatingIfNeeded: kind)))
        + value)
  }

  func numbered(_ sequence: UInt32) -> [UInt8] {
    var bytes = bytes
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(
        of: sequence, toByteOffset: MemoryLayout<nlmsghdr>.offset(of: \.nlmsg_seq) ?? 8,
        as: UInt32.self)
    }
    return bytes
  }

  private mutating func append(_ part: [UInt8]) {
    bytes += part
    let gap = NetlinkAttributes.aligned(bytes.count) - bytes.count
    bytes += [UInt8](repeating: 0, count: gap)
    let length = UInt32(clamping: bytes.count)
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: length, as: UInt32.self) }
  }

  private static func bytes(_ value: some BitwiseCopyable) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }
}
