extension JSONValue {
  /// Reads one JSON text (RFC 8259). The depth is bounded, so that hostile nesting cannot exhaust
  /// the stack. Only white space may follow the value.
  public init(parsing text: some StringProtocol) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  public init(parsing bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes: bytes)
    parser.skipSpace()
    self = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.index == bytes.count else {
      throw JSONError(offset: parser.index, reason: "text after the value")
    }
  }
}

struct JSONParser {
  static let maxDepth = 64
  let bytes: [UInt8]
  var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  func fail(_ reason: String) -> JSONError { JSONError(offset: index, reason: reason) }

  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      index += 1
    }
  }

  mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < Self.maxDepth else { throw fail("nested deeper than \(Self.maxDepth)") }
    guard let next else { throw fail("no value here") }
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw fail("no value here")
    }
  }

  mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let count = word.utf8CodeUnitCount
    let matches =
      index + count <= bytes.count
      && word.withUTF8Buffer { $0.elementsEqual(bytes[index..<index + count]) }
    guard matches else { throw fail("no value here") }
    index += count
    return value
  }

  mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var members: [(name: String, value: JSONValue)] = []
    skipSpace()
    if next == UInt8(ascii: "}") {
      index += 1
      return .object([])
    }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw fail("a member's name must be a string") }
      let name = try string()
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw fail("':' expected") }
      index += 1
      skipSpace()
      members.append((name, try value(depth: depth + 1)))
      skipSpace()
      if try endsList(with: "}") { return .object(members) }
    }
  }

  mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var items: [JSONValue] = []
    skipSpace()
    if next == UInt8(ascii: "]") {
      index += 1
      return .array([])
    }
    while true {
      skipSpace()
      items.append(try value(depth: depth + 1))
      skipSpace()
      if try endsList(with: "]") { return .array(items) }
    }
  }

  private mutating func endsList(with bracket: Unicode.Scalar) throws(JSONError) -> Bool {
    let byte = next
    guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: bracket) else {
      throw fail("',' or '\(bracket)' expected")
    }
    index += 1
    return byte == UInt8(ascii: bracket)
  }

  mutating func number() throws(JSONError) -> Double {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    let whole = index
    skipDigits()
    guard index > whole else { throw fail("digits expected") }
    if bytes[whole] == UInt8(ascii: "0"), index > whole + 1 {
      throw fail("a number does not start with 0")
    }
    if next == UInt8(ascii: ".") {
      index += 1
      let fraction = index
      skipDigits()
      guard index > fraction else { throw fail("digits expected") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      let exponent = index
      skipDigits()
      guard index > exponent else { throw fail("digits expected") }
    }
    // A number that is too large becomes infinity, which JSON cannot express.
    guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)),
      value.isFinite
    else { throw fail("number out of range") }
    return value
  }

  private mutating func skipDigits() {
    while let byte = next, byte &- UInt8(ascii: "0") <= 9 { index += 1 }
  }

  mutating func string() throws(JSONError) -> String {
    index += 1
    var text: [UInt8] = []
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw fail("an unescaped control character in a string")
      default: text.append(byte)
      }
    }
    throw fail("a string without an end")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    guard let byte = next else { throw fail("a string without an end") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
    default: throw fail("unknown escape")
    }
  }

  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let high = try hexQuad()
    guard (0xd800..<0xdc00).contains(high) else {
      return Unicode.Scalar(high) ?? "\u{fffd}"
    }
    guard next == UInt8(ascii: "\\"), index + 1 < bytes.count,
      bytes[index + 1] == UInt8(ascii: "u")
    else { return "\u{fffd}" }
    let second = index
    index += 2
    let low = try hexQuad()
    guard (0xdc00..<0xe000).contains(low) else {
      index = second
      return "\u{fffd}"
    }
    return Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00)) ?? "\u{fffd}"
  }

  private mutating func hexQuad() throws(JSONError) -> UInt32 {
    guard index + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16),
      bytes[index] != UInt8(ascii: "+"), bytes[index] != UInt8(ascii: "-")
    else { throw fail("four hexadecimal digits expected") }
    index += 4
    return value
  }
}
