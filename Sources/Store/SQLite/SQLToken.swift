/// A word, a name, a text or a sign of an SQL statement, with SQLite's token rules (tokenize.c).
/// Spaces and comments give no tokens.
struct SQLToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A keyword, or an unquoted name.
    case word
    /// A quoted name.
    case name
    /// A text in single quotes.
    case text
    case number
    case sign
  }

  let kind: Kind
  /// Without its quotes. Words and names are in lower case, because case does not matter in them.
  let text: String

  /// Whether it is that keyword or sign.
  func `is`(_ text: String) -> Bool {
    (kind == .word || kind == .sign) && self.text == text
  }

  /// ASCII letters only, as SQLite compares names.
  static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  static func all(in sql: String) -> [SQLToken] {
    var scanner = Scanner(bytes: Array(sql.utf8))
    var tokens: [SQLToken] = []
    while let token = scanner.next() { tokens.append(token) }
    return tokens
  }

  /// The tokens before the body: the kind of object, its name, and what it belongs to.
  static func heading(of sql: String) -> [SQLToken] {
    var scanner = Scanner(bytes: Array(sql.utf8))
    var tokens: [SQLToken] = []
    while let token = scanner.next() {
      if ["(", "as", "begin", "when"].contains(where: token.is) { break }
      tokens.append(token)
    }
    return tokens
  }

  private struct Scanner {
    let bytes: [UInt8]
    var index = 0

    mutating func next() -> SQLToken? {
      skipSpaces()
      guard index < bytes.count else { return nil }
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "'"): return SQLToken(kind: .text, text: quoted(until: byte))
      case UInt8(ascii: "\""), UInt8(ascii: "`"):
        return SQLToken(kind: .name, text: folded(quoted(until: byte)))
      case UInt8(ascii: "["):
        return SQLToken(kind: .name, text: folded(quoted(until: UInt8(ascii: "]"))))
      case _ where Self.isDigit(byte):
        return SQLToken(kind: .number, text: run { Self.isWord($0) || $0 == UInt8(ascii: ".") })
      case _ where Self.isWord(byte):
        return SQLToken(kind: .word, text: folded(run(Self.isWord)))
      default:
        index += 1
        return SQLToken(kind: .sign, text: String(decoding: [byte], as: UTF8.self))
      }
    }

    private mutating func skipSpaces() {
      while index < bytes.count {
        if Self.isSpace(bytes[index]) {
          index += 1
        } else if begins("-", "-") {
          while index < bytes.count, bytes[index] != 0x0A { index += 1 }
        } else if begins("/", "*") {
          index += 2
          while index < bytes.count, !begins("*", "/") { index += 1 }
          index = min(index + 2, bytes.count)
        } else {
          return
        }
      }
    }

    private func begins(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
      index + 1 < bytes.count && bytes[index] == UInt8(ascii: first)
        && bytes[index + 1] == UInt8(ascii: second)
    }

    /// A quote inside is doubled.
    private mutating func quoted(until end: UInt8) -> String {
      var content: [UInt8] = []
      index += 1
      while index < bytes.count {
        defer { index += 1 }
        if bytes[index] == end {
          guard end != UInt8(ascii: "]"), index + 1 < bytes.count, bytes[index + 1] == end else {
            break
          }
          index += 1
        }
        content.append(bytes[index])
      }
      return String(decoding: content, as: UTF8.self)
    }

    private mutating func run(_ belongs: (UInt8) -> Bool) -> String {
      let start = index
      while index < bytes.count, belongs(bytes[index]) { index += 1 }
      return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
      isDigit(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "$") || byte >= 0x80
    }
  }
}
