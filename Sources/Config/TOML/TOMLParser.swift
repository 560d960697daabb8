import Core

/// Reads TOML 1.0 (https://toml.io/en/v1.0.0).
///
/// Implemented here because messages about a setting must name its line, and every Swift library
/// that keeps the lines of values depends on all of Foundation.
///
/// The size of the text, the depth of nesting and the parts of a dotted key are bounded, so that a
/// hostile file ends in an error and not in a crash.
public struct TOMLParser {
  public static let maxTextSize = 1 << 19
  static let maxNesting = 32
  static let maxPathLength = 32

  var cursor: TOMLCursor

  /// - Parameter file: its name, for messages and for the origins of values.
  static func parse(_ text: String, file: String) throws(TOMLError) -> WrittenTable {
    try parse(Array(text.utf8), file: file)
  }

  static func parse(_ bytes: [UInt8], file: String) throws(TOMLError) -> WrittenTable {
    let cursor = TOMLCursor(file: file, bytes: bytes)
    try cursor.requireSize()
    try cursor.requireUTF8()
    return try document(cursor)
  }

  /// - Parameter cursor: at the beginning of a text in UTF-8 within the size limit.
  static func document(_ cursor: TOMLCursor) throws(TOMLError) -> WrittenTable {
    var parser = TOMLParser(cursor: cursor)
    return try parser.document()
  }

  /// Parses a single value: the right-hand side of `--set key=value`.
  public static func parseValue(_ text: String, file: String) throws(TOMLError) -> WrittenValue {
    var parser = TOMLParser(cursor: TOMLCursor(file: file, bytes: Array(text.utf8)))
    parser.cursor.skipBlanks()
    let value = try parser.value(depth: 0)
    parser.cursor.skipBlanks()
    guard parser.cursor.isAtEnd else {
      throw parser.cursor.error(expected: "nothing after the value")
    }
    return value
  }

  private mutating func document() throws(TOMLError) -> WrittenTable {
    var tree = TOMLTree()
    while true {
      try cursor.skipSpaceAndComments()
      guard let byte = cursor.next else { return tree.table }
      cursor.statement = cursor.line
      if byte == UInt8(ascii: "[") {
        try header(into: &tree)
      } else {
        try pair(into: &tree, depth: 0)
      }
      try endOfLine()
    }
  }

  private mutating func endOfLine() throws(TOMLError) {
    cursor.skipBlanks()
    try cursor.skipComment()
    guard cursor.isAtEnd || cursor.next == UInt8(ascii: "\n") || cursor.starts(with: "\r\n") else {
      throw cursor.error(expected: "the end of the line")
    }
  }

  /// `[a.b]` or `[[a.b]]`.
  private mutating func header(into tree: inout TOMLTree) throws(TOMLError) {
    let start = cursor.index
    let isArray = cursor.skip("[[")
    if !isArray { cursor.advance() }
    let path = try keyPath()
    guard isArray ? cursor.skip("]]") : cursor.skip("]") else {
      throw cursor.error(expected: isArray ? "']]'" : "']' or '.'")
    }
    do throws(TOMLTree.Conflict) {
      if isArray {
        try tree.openArrayElement(path, line: cursor.line)
      } else {
        try tree.openTable(path, line: cursor.line)
      }
    } catch {
      throw cursor.error(at: start, found: error.found, expected: error.expected)
    }
  }

  /// `a.b = value`, in the document or in an inline table.
  private mutating func pair(into tree: inout TOMLTree, depth: Int) throws(TOMLError) {
    let start = cursor.index
    let path = try keyPath()
    guard cursor.skip("=") else { throw cursor.error(expected: "'=' after the key") }
    cursor.skipBlanks()
    do throws(TOMLTree.Conflict) {
      try tree.reserve(path, line: cursor.line)
    } catch {
      throw cursor.error(at: start, found: error.found, expected: error.expected)
    }
    tree.setReserved(try value(depth: depth))
  }

  /// `a."b c".d`, including the blanks around its dots and after it.
  private mutating func keyPath() throws(TOMLError) -> [String] {
    var path: [String] = []
    repeat {
      cursor.skipBlanks()
      guard path.count < Self.maxPathLength else {
        throw cursor.error(expected: "a key of at most \(Self.maxPathLength) parts")
      }
      path.append(try key())
      cursor.skipBlanks()
    } while cursor.skip(".")
    return path
  }

  private mutating func key() throws(TOMLError) -> String {
    switch cursor.next {
    case UInt8(ascii: "\""):
      guard !cursor.starts(with: "\"\"\"") else {
        throw cursor.error(found: "a string of several lines", expected: "a key")
      }
      return try basicString()
    case UInt8(ascii: "'"):
      guard !cursor.starts(with: "'''") else {
        throw cursor.error(found: "a string of several lines", expected: "a key")
      }
      return try literalString()
    default:
      let start = cursor.index
      while let byte = cursor.next, Self.isBareKey(byte) { cursor.advance() }
      guard cursor.index > start else { throw cursor.error(expected: "a key") }
      return String(decoding: cursor.bytes[start..<cursor.index], as: UTF8.self)
    }
  }

  private static func isBareKey(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension TOMLParser {
  private mutating func value(depth: Int) throws(TOMLError) -> WrittenValue {
    guard depth < Self.maxNesting else {
      throw cursor.error(expected: "at most \(Self.maxNesting) levels of nesting")
    }
    let line = cursor.line
    switch cursor.next {
    case UInt8(ascii: "\""):
      let text = try cursor.starts(with: "\"\"\"") ? multilineBasicString() : basicString()
      return WrittenValue(.string(text), line: line)
    case UInt8(ascii: "'"):
      let text = try cursor.starts(with: "'''") ? multilineLiteralString() : literalString()
      return WrittenValue(.string(text), line: line)
    case UInt8(ascii: "["): return WrittenValue(.array(try array(depth: depth)), line: line)
    case UInt8(ascii: "{"):
      return WrittenValue(.table(try inlineTable(depth: depth)), line: line)
    default: return WrittenValue(try scalar(), line: line)
    }
  }

  private mutating func array(depth: Int) throws(TOMLError) -> [WrittenValue] {
    cursor.advance()
    var items: [WrittenValue] = []
    while true {
      try cursor.skipSpaceAndComments()
      if cursor.skip("]") { return items }
      items.append(try value(depth: depth + 1))
      try cursor.skipSpaceAndComments()
      if cursor.skip("]") { return items }
      guard cursor.skip(",") else { throw cursor.error(expected: "',' or ']'") }
    }
  }

  /// TOML 1.0: on one line, without a trailing comma.
  private mutating func inlineTable(depth: Int) throws(TOMLError) -> WrittenTable {
    cursor.advance()
    var inner = TOMLTree()
    cursor.skipBlanks()
    if cursor.skip("}") { return inner.table }
    while true {
      cursor.skipBlanks()
      try pair(into: &inner, depth: depth + 1)
      cursor.skipBlanks()
      if cursor.skip("}") { return inner.table }
      guard cursor.skip(",") else { throw cursor.error(expected: "',' or '}'") }
    }
  }

  /// Numbers, booleans, dates and times: all values that are one word.
  private mutating func scalar() throws(TOMLError) -> WrittenValue.Content {
    let start = cursor.index
    while let byte = cursor.next, !Self.endsWord(byte) { cursor.advance() }
    var word = cursor.bytes[start..<cursor.index]
    guard !word.isEmpty else { throw cursor.error(expected: "a value") }
    if word.elementsEqual("true".utf8) { return .bool(true) }
    if word.elementsEqual("false".utf8) { return .bool(false) }
    if TOMLDateTime.looksLikeDate(word), cursor.next == 0x20,
      let byte = cursor.peek(1), byte &- UInt8(ascii: "0") <= 9
    {
      // A blank in place of the T between date and time.
      cursor.advance()
      while let byte = cursor.next, !Self.endsWord(byte) { cursor.advance() }
      word = cursor.bytes[start..<cursor.index]
    }
    if TOMLDateTime.isValid(word) { return .dateTime(String(decoding: word, as: UTF8.self)) }
    switch TOMLNumber.read(word) {
    case .integer(let number): return .integer(number)
    case .float(let number): return .float(number)
    case .tooLarge:
      throw cursor.error(
        at: start, found: "an integer beyond 64 bits", expected: "at most 9223372036854775807")
    case .none:
      let text = String(decoding: word.prefix(40), as: UTF8.self)
      throw cursor.error(
        at: start, found: "'\(text)'",
        expected: "a value: text in quotes, a number, true, false, a date, an array or a table")
    }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "#"),
      UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "["),
      UInt8(ascii: "{"):
      true
    default: byte < 0x20 || byte == 0x7f
    }
  }
}
