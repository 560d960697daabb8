/// Writes JSON (RFC 8259) straight into bytes, with keys in the given order. The same data always
/// gives the same text, and a million lines need no million dictionaries.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  public init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Empties the buffer and keeps its memory, for the next line.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    open("{")
    body(&self)
    close("}")
  }

  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    open("[")
    body(&self)
    close("]")
  }

  public mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// Brackets and commas of an array that is written element by element.
  public mutating func raw(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    needsComma = false
  }

  public mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A key that is known only at run time, such as a cause of rejection.
  public mutating func key(dynamic name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func string(_ text: String) {
    separate()
    Self.appendQuoted(text, to: &bytes)
    needsComma = true
  }

  public mutating func number(_ value: Int) {
    separate()
    bytes.append(contentsOf: value.description.utf8)
    needsComma = true
  }

  /// A number with a fixed number of decimals. What JSON cannot express (NaN, infinity) becomes
  /// null.
  public mutating func number(_ value: Double, digits: Int) {
    guard value.isFinite else { return null() }
    separate()
    FixedDecimal.append(value, digits: digits, to: &bytes)
    needsComma = true
  }

  public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
  public mutating func null() { literal("null") }

  public mutating func time(_ instant: UTCInstant, digits: Int = 3) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    ISO8601.append(instant, digits: digits, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  public mutating func value(_ json: JSONValue) {
    switch json {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let value):
      guard value.isFinite else { return null() }
      separate()
      let whole = Int64(exactly: value)
      bytes.append(contentsOf: (whole?.description ?? value.description).utf8)
      needsComma = true
    case .string(let text): string(text)
    case .array(let items): array { for item in items { $0.value(item) } }
    case .object(let members):
      object {
        for (name, member) in members {
          $0.key(dynamic: name)
          $0.value(member)
        }
      }
    }
  }

  // MARK: Members of an object: a name and its value. Nil becomes null.

  public mutating func field(_ name: StaticString, _ text: String?) {
    key(name)
    if let text { string(text) } else { null() }
  }

  public mutating func field(_ name: StaticString, _ value: Int?) {
    key(name)
    if let value { number(value) } else { null() }
  }

  public mutating func field(_ name: StaticString, _ value: Double?, digits: Int) {
    key(name)
    if let value { number(value, digits: digits) } else { null() }
  }

  public mutating func field(_ name: StaticString, _ flag: Bool?) {
    key(name)
    if let flag { bool(flag) } else { null() }
  }

  public mutating func field(_ name: StaticString, _ instant: UTCInstant?, digits: Int = 3) {
    key(name)
    if let instant { time(instant, digits: digits) } else { null() }
  }

  public mutating func field(_ name: StaticString, _ json: JSONValue) {
    key(name)
    value(json)
  }

  public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  public mutating func array(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    key(name)
    array(body)
  }

  // MARK: Members that are left out where the value is nil

  public mutating func field(_ name: StaticString, ifKnown value: Int?) {
    if let value { field(name, value) }
  }

  public mutating func field(_ name: StaticString, ifKnown value: Double?, digits: Int) {
    if let value { field(name, value, digits: digits) }
  }

  public mutating func field(_ name: StaticString, ifKnown instant: UTCInstant?) {
    if let instant { field(name, instant) }
  }

  private mutating func literal(_ text: StaticString) {
    separate()
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    needsComma = true
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var previous: UInt8 = 0
    for byte in text.utf8 {
      defer { previous = byte }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
      case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
      case 0..<0x20, 0x7f: appendEscape(byte, to: &bytes)
      case 0x80..<0xa0 where previous == 0xc2:
        // U+0080 to U+009F: a terminal interprets these C1 controls like escape sequences.
        bytes.removeLast()
        appendEscape(byte, to: &bytes)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "\\u00".utf8)
    bytes.append(hexDigits[Int(byte >> 4)])
    bytes.append(hexDigits[Int(byte & 15)])
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}
