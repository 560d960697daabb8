import SettingDeclarations

extension TOMLParser {
  mutating func value(depth: Int) throws(TOMLError) -> WrittenValue {
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

  /// TOML 1.0: on one line, without a comma after the last pair.
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

  /// Numbers, booleans, dates and times: everything that is one word.
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
      // A blank instead of the T between date and time.
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
