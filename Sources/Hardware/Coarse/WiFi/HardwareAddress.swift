/// The six bytes by which stations of a network address each other (IEEE 802-2014, 8.2).
struct HardwareAddress: Hashable {
  /// The first byte on the air is the highest of the lower 48 bits.
  private let bits: UInt64

  /// Nil: not six bytes. InfiniBand and tunnels have other lengths.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 6 else { return nil }
    bits = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Nil: not six pairs of hexadecimal digits with colons between them.
  init?(_ text: String) {
    let digits = text.utf8
    guard digits.count == 17 else { return nil }
    var bits: UInt64 = 0
    for (position, digit) in digits.enumerated() {
      guard position % 3 != 2 else {
        guard digit == UInt8(ascii: ":") else { return nil }
        continue
      }
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      bits = bits << 4 | UInt64(value)
    }
    self.bits = bits
  }

  /// In lower case, such as "00:1f:33:ab:01:02".
  var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: 17) { room in
      for position in 0..<6 {
        let byte = Int(bits >> (40 - 8 * position) & 0xff)
        room[3 * position] = digits[byte >> 4]
        room[3 * position + 1] = digits[byte & 0xf]
        if position < 5 { room[3 * position + 2] = UInt8(ascii: ":") }
      }
      return 17
    }
  }

  var isZero: Bool { bits == 0 }
  /// The I/G bit: broadcast and multicast.
  var isGroup: Bool { bits >> 40 & 0x01 != 0 }
  /// The U/L bit: not assigned by the manufacturer.
  var isLocallyAdministered: Bool { bits >> 40 & 0x02 != 0 }

  /// Whether the given number of leading bits equals the prefix.
  func begins(with prefix: UInt64, bits count: Int) -> Bool { bits >> (48 - count) == prefix }
}
