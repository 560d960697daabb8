/// A permanent, globally unique identifier: a UUID (RFC 9562).
public struct UniqueID: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// - Parameter bytes: 16 bytes, in the order in which they are written; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = Self.number(bytes.prefix(8))
    low = Self.number(bytes.suffix(8))
  }

  /// Reads the canonical form, 8-4-4-4-12 hexadecimal digits of either case (RFC 9562, section 4);
  /// nil for anything else.
  public init?(_ text: String) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
      let bytes = Hexadecimal.bytes(groups.joined())
    else { return nil }
    self.init(bytes: bytes)
  }

  /// A new random id (RFC 9562, section 5.4: version 4).
  public static func made(using chance: inout some RandomNumberGenerator) -> UniqueID {
    UniqueID(
      high: chance.next() & ~0xF000 | 0x4000, low: chance.next() & (~0 >> 2) | 1 << 63)
  }

  /// An id derived from a digest: a UUID with a custom layout (RFC 9562, section 5.8: version 8).
  public init(of digest: SHA256) {
    let bytes = digest.digestBytes
    self.init(
      high: Self.number(bytes.prefix(8)) & ~0xF000 | 0x8000,
      low: Self.number(bytes.dropFirst(8).prefix(8)) & (~0 >> 2) | 1 << 63)
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  private static func number(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// 16 bytes, in the order in which they are written.
  public var bytes: [UInt8] {
    [high, low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
    }
  }

  /// The canonical form, in lower case.
  public var description: String {
    let digits = Array(Hexadecimal.text(bytes))
    var text = ""
    text.reserveCapacity(36)
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  public static func < (a: Self, b: Self) -> Bool { (a.high, a.low) < (b.high, b.low) }
}
