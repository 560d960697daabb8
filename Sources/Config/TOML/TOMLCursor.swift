/// Reads the bytes of a TOML text and counts lines.
struct TOMLCursor {
  let file: String
  let bytes: [UInt8]
  private(set) var index = 0
  private(set) var line = 1
  /// The line on which the current header or pair begins, see `TOMLError.statement`.
  var statement = 1
  private var lineStart = 0

  init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes
    // Some editors write a byte order mark, which has no meaning in UTF-8.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      index = 3
      lineStart = 3
    }
  }

  var next: UInt8? { index < bytes.count ? bytes[index] : nil }
  var isAtEnd: Bool { index == bytes.count }

  func peek(_ ahead: Int) -> UInt8? {
    index + ahead < bytes.count ? bytes[index + ahead] : nil
  }

  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return index + count <= bytes.count
      && text.withUTF8Buffer { $0.elementsEqual(bytes[index..<index + count]) }
  }

  /// Consumes one byte, counting lines.
  mutating func advance() {
    if bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    index += 1
  }

  mutating func advance(_ count: Int) {
    for _ in 0..<count { advance() }
  }

  mutating func skip(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    advance(text.utf8CodeUnitCount)
    return true
  }

  mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 { index += 1 }
  }

  /// LF or CR LF.
  mutating func skipNewline() -> Bool { skip("\n") || skip("\r\n") }

  mutating func skipComment() throws(TOMLError) {
    guard next == UInt8(ascii: "#") else { return }
    while let byte = next, byte != UInt8(ascii: "\n"), !starts(with: "\r\n") {
      guard !Self.isControl(byte) else { throw error(expected: "no control character") }
      index += 1
    }
  }

  /// Skips blanks, comments and line ends, as between the elements of an array.
  mutating func skipSpaceAndComments() throws(TOMLError) {
    repeat {
      skipBlanks()
      try skipComment()
    } while skipNewline()
  }

  /// Every control character but the tab (TOML 1.0: U+0000 to U+0008, U+000A to U+001F, U+007F).
  static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 || byte == 0x7f
  }

  /// An error at the current position, or at an earlier offset on the same line.
  func error(at offset: Int? = nil, found: String? = nil, expected: String) -> TOMLError {
    let offset = offset ?? index
    let column = bytes[min(lineStart, offset)..<offset].count { $0 & 0xc0 != 0x80 } + 1
    return TOMLError(
      file: file, statement: min(statement, line), line: line, column: column,
      found: found ?? describe(offset), expected: expected)
  }

  private func describe(_ offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the file" }
    let byte = bytes[offset]
    if byte == UInt8(ascii: "\n") { return "the end of the line" }
    if byte == UInt8(ascii: "\r") {
      return offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n")
        ? "the end of the line"
        : "a carriage return without a line feed (save the file with Unix line ends)"
    }
    if Self.isControl(byte) || byte == 0x09 {
      let hex = String(byte, radix: 16, uppercase: true)
      return "the control character U+\(String(repeating: "0", count: 4 - hex.count))\(hex)"
    }
    let text = String(decoding: bytes[offset..<min(bytes.count, offset + 64)], as: UTF8.self)
    return "'\(text.first ?? " ")'"
  }
}

/// The position at which a text is not valid TOML, with what was found and expected.
public struct TOMLError: Error, Equatable, Sendable, CustomStringConvertible {
  let file: String
  /// The line on which the faulty header or pair begins: `line`, or one before it.
  let statement: Int
  /// Counted from 1.
  let line: Int
  /// Counted from 1, in characters (Unicode scalars).
  let column: Int
  let found: String
  let expected: String

  public var description: String {
    "\(file):\(line):\(column): found \(found), expected \(expected)"
  }
}
