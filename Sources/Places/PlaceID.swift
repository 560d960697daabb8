/// What a place is known by, everywhere and for ever: a UUID (RFC 9562).
public struct PlaceID: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// - Parameter bytes: 16 of them, the first to be written first; otherwise there is no id.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    func number(_ part: some Collection<UInt8>) -> UInt64 {
      part.reduce(0) { $0 << 8 | UInt64($1) }
    }
    high = number(bytes.prefix(8))
    low = number(bytes.suffix(8))
  }

  /// Reads the canonical form, 8-4-4-4-12 hexadecimal digits of either case (RFC 9562, section 4);
  /// nil for everything else.
  public init?(_ text: String) {
    var digits: [UInt8] = []
    digits.reserveCapacity(32)
    guard text.utf8.count == 36 else { return nil }
    for (index, byte) in text.utf8.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(byte - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    self.init(bytes: stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  /// A new one, by chance (RFC 9562, section 5.4: version 4).
  public static func made(using chance: inout some RandomNumberGenerator) -> PlaceID {
    PlaceID(
      high: chance.next() & ~0xF000 | 0x4000, low: chance.next() & (~0 >> 2) | 1 << 63)
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// 16, in the order in which they are written.
  public var bytes: [UInt8] {
    [high, low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
    }
  }

  /// The canonical form, in small letters.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  public static func < (a: Self, b: Self) -> Bool { (a.high, a.low) < (b.high, b.low) }
}
