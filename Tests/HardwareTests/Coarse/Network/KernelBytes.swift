import CNetlink
import Glibc
import Hardware

/// Messages in the kernel's layout: in the machine's byte order, padded to four bytes.
enum KernelBytes {
  static func message(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
    padded(
      number(UInt32(16 + payload.count)) + number(UInt16(type)) + [UInt8](repeating: 0, count: 10)
        + payload)
  }

  static func attribute(_ kind: some BinaryInteger, _ payload: [UInt8]) -> [UInt8] {
    padded(number(UInt16(4 + payload.count)) + number(UInt16(kind)) + payload)
  }

  static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  static func read<T>(_ bytes: [UInt8], _ read: (NetlinkMessage) -> T?) -> [T] {
    var found: [T] = []
    bytes.withUnsafeBytes {
      NetlinkMessage.forEach(in: $0) { message in
        if let one = read(message) { found.append(one) }
      }
    }
    return found
  }

  // MARK: rtnetlink

  static func route(
    _ family: Int32, length: UInt8 = 0, table: UInt8 = 254, kind: Int = Int(RTN_UNICAST),
    flags: UInt32 = 0, type: Int = Int(RTM_NEWROUTE), _ attributes: [UInt8]
  ) -> [UInt8] {
    message(
      type,
      [UInt8(family), length, 0, 0, table, 3, 0, UInt8(kind)] + number(flags) + attributes)
  }

  static func hop(_ interface: Int32, flags: UInt8 = 0, _ attributes: [UInt8]) -> [UInt8] {
    number(UInt16(8 + attributes.count)) + [flags, 0] + number(interface) + attributes
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }
}
