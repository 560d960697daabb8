/// Turns a fuzzer's bytes into choices and numbers. After the last byte all are zero, so that every
/// input has a meaning.
public struct InputBytes {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  public init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  public var isEmpty: Bool { index >= bytes.count }

  public mutating func byte() -> UInt8 {
    guard index < bytes.count else { return 0 }
    defer { index += 1 }
    return bytes[index]
  }

  public mutating func flag() -> Bool { byte() & 1 == 1 }

  /// 0..<count, at most 256 of them.
  public mutating func choice(_ count: Int) -> Int { Int(byte()) % count }

  public mutating func element<T>(_ list: [T]) -> T { list[choice(list.count)] }

  public mutating func word16() -> Int { Int(byte()) << 8 | Int(byte()) }

  public mutating func word64() -> UInt64 {
    (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) }
  }

  /// -1...1 in 65,536 steps.
  public mutating func fraction() -> Double { Double(word16() - 32_768) / 32_768 }

  /// Any value of a Double, preferring those that often break programs.
  public mutating func wild() -> Double {
    let kind = Int(byte())
    if kind < Self.wild.count { return Self.wild[kind] }
    switch kind % 4 {
    case 0: return Double(bitPattern: word64())
    case 1: return fraction()
    case 2: return fraction() * 1e3
    default: return Double(word16() - 32_768)
    }
  }

  public mutating func wildInteger() -> Int64 {
    switch choice(6) {
    case 0: .max
    case 1: .min
    case 2: Int64(bitPattern: word64())
    case 3: 1 << Int64(choice(63))
    default: Int64(word16() - 32_768)
    }
  }

  /// The next `count` bytes, or the remaining ones if fewer.
  public mutating func take(_ count: Int) -> UnsafeBufferPointer<UInt8> {
    let start = min(index, bytes.count)
    index = min(start + count, bytes.count)
    return UnsafeBufferPointer(rebasing: bytes[start..<index])
  }

  private static let wild: [Double] = [
    .nan, .infinity, -.infinity, 0, -0.0, 1, -1, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, 90, -90, 180, -180,
    180.000001, 360, 359.9999999999, 1e-9, 1e9, 1e18, -1e18, 9.3e18, 1e300, 0x1p53, 0x1p63, -0x1p63,
    4.6e18, 0.5, 59, 3600, 86_400,
  ]
}
