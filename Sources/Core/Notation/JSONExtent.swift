/// Finds the end of a JSON value whose bytes arrive one by one, without parsing the content. The
/// bytes are kept only while they are within the limits.
public struct JSONExtent: Sendable {
  public enum Progress: Sendable {
    case open
    /// The value ends with this byte.
    case complete
    /// The value ended before this byte, which belongs to what follows.
    case ended
  }

  /// Which limit is exceeded.
  public enum Excess: Sendable {
    case bytes, values
  }

  /// How much of a value is kept.
  public struct Limits: Sendable {
    public let bytes: Int
    /// A parsed value takes up to 64 bytes, so that this bounds the memory for all of them.
    public let values: Int

    public init(bytes: Int, values: Int) {
      self.bytes = bytes
      self.values = values
    }

    /// Whether a text that is already in memory is within the limit of values.
    public func allow(valuesOf text: String) -> Bool {
      var count = 0
      for byte in text.utf8 where [UInt8(ascii: ","), 0x5B, 0x7B].contains(byte) {
        count += 1
        if count > values { return false }
      }
      return true
    }
  }

  public private(set) var bytes: [UInt8] = []
  /// Why the bytes are no longer kept.
  public private(set) var excess: Excess?
  /// The number of open brackets.
  public private(set) var depth = 0
  public private(set) var isInString = false
  private let limits: Limits
  private var isInEscape = false
  private var isBare = false
  private var values = 0
  /// One bit for each of the first 64 open brackets: set for an object.
  private var objects: UInt64 = 0

  public init(_ limits: Limits) { self.limits = limits }

  /// - Returns: nil for a bracket that does not fit the one that it closes.
  public mutating func consume(_ byte: UInt8) -> Progress? {
    if isInString { return takeText(byte) }
    if isBare, depth == 0, Self.endsBareWord(byte) { return .ended }
    keep(byte)
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      open(isObject: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard close(isObject: byte == UInt8(ascii: "}")) else { return nil }
      return depth == 0 ? .complete : .open
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: ","): count()
    default: isBare = depth == 0
    }
    return .open
  }

  private mutating func takeText(_ byte: UInt8) -> Progress {
    keep(byte)
    if isInEscape {
      isInEscape = false
    } else if byte == UInt8(ascii: "\\") {
      isInEscape = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      return depth == 0 ? .complete : .open
    }
    return .open
  }

  private mutating func open(isObject: Bool) {
    if depth < 64 {
      let bit: UInt64 = 1 << UInt64(depth)
      objects = isObject ? objects | bit : objects & ~bit
    }
    depth += 1
    count()
  }

  private mutating func close(isObject: Bool) -> Bool {
    guard depth > 0 else { return false }
    depth -= 1
    return depth >= 64 || (objects >> UInt64(depth) & 1 == 1) == isObject
  }

  private mutating func count() {
    values += 1
    if values > limits.values { drop(.values) }
  }

  private mutating func keep(_ byte: UInt8) {
    guard excess == nil else { return }
    bytes.append(byte)
    if bytes.count > limits.bytes { drop(.bytes) }
  }

  private mutating func drop(_ why: Excess) {
    excess = excess ?? why
    bytes = []
  }

  private static func endsBareWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]")
      || byte == UInt8(ascii: "}")
  }
}
