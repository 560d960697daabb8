/// Bytes of netlink messages in the kernel's layout and the machine's byte order.
enum MessageBytes {
  static func message(
    _ type: UInt16, flags: UInt16 = 0, sequence: UInt32 = 0, _ payload: [UInt8] = []
  ) -> [UInt8] {
    padded(
      number(UInt32(16 + payload.count)) + number(type) + number(flags) + number(sequence)
        + number(UInt32(0)) + payload)
  }

  static func attribute(_ kind: UInt16, _ payload: [UInt8]) -> [UInt8] {
    padded(number(UInt16(4 + payload.count)) + number(kind) + payload)
  }

  static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }
}
