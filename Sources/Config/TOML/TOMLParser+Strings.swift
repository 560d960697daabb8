extension TOMLParser {
  /// `"text with \n escapes"`
  mutating func basicString() throws(TOMLError) -> String {
    cursor.advance()
    var text = room(before: UInt8(ascii: "\""))
    while true {
      switch try stringByte(closedBy: "'\"'") {
      case UInt8(ascii: "\""):
        cursor.advance()
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &text)
      case let byte:
        text.append(byte)
        cursor.advance()
      }
    }
  }

  /// `'text as it is'`
  mutating func literalString() throws(TOMLError) -> String {
    cursor.advance()
    var text = room(before: UInt8(ascii: "'"))
    while true {
      let byte = try stringByte(closedBy: "\"'\"")
      cursor.advance()
      guard byte != UInt8(ascii: "'") else { return String(decoding: text, as: UTF8.self) }
      text.append(byte)
    }
  }

  /// An empty text with room for what stands before the next quote, at most for the rest of the
  /// line, so that a long string is not copied again and again as it grows.
  private func room(before quote: UInt8) -> [UInt8] {
    var length = 0
    while let byte = cursor.peek(length), byte != quote, byte != UInt8(ascii: "\n") { length += 1 }
    var text: [UInt8] = []
    text.reserveCapacity(length)
    return text
  }

  /// The next byte of a string that must end on its line.
  private func stringByte(closedBy quote: String) throws(TOMLError) -> UInt8 {
    guard let byte = cursor.next, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else {
      throw cursor.error(expected: "\(quote) at the end of the string")
    }
    guard !TOMLCursor.isControl(byte) else {
      throw cursor.error(expected: "no control character in a string")
    }
    return byte
  }

  mutating func multilineBasicString() throws(TOMLError) -> String {
    cursor.advance(3)
    _ = cursor.skipNewline()
    var text = room(before: UInt8(ascii: "\""))
    while true {
      if try endsMultiline(with: UInt8(ascii: "\""), text: &text) {
        return String(decoding: text, as: UTF8.self)
      }
      if cursor.next == UInt8(ascii: "\\") {
        if !(try skipFoldedLine()) { try escape(into: &text) }
      } else {
        try appendMultilineByte(to: &text)
      }
    }
  }

  mutating func multilineLiteralString() throws(TOMLError) -> String {
    cursor.advance(3)
    _ = cursor.skipNewline()
    var text = room(before: UInt8(ascii: "'"))
    while !(try endsMultiline(with: UInt8(ascii: "'"), text: &text)) {
      try appendMultilineByte(to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Three quotes end the string; up to two quotes before them belong to the text.
  private mutating func endsMultiline(
    with quote: UInt8, text: inout [UInt8]
  ) throws(TOMLError) -> Bool {
    var quotes = 0
    while quotes < 5, cursor.peek(quotes) == quote { quotes += 1 }
    guard quotes >= 3 else { return false }
    text.append(contentsOf: repeatElement(quote, count: quotes - 3))
    cursor.advance(quotes)
    return true
  }

  private mutating func appendMultilineByte(to text: inout [UInt8]) throws(TOMLError) {
    guard let byte = cursor.next else {
      throw cursor.error(expected: "three quotes at the end of the string")
    }
    if cursor.skipNewline() { return text.append(UInt8(ascii: "\n")) }
    guard !TOMLCursor.isControl(byte) else {
      throw cursor.error(expected: "no control character in a string")
    }
    text.append(byte)
    cursor.advance()
  }

  /// A backslash at the end of a line removes the line end and all white space after it.
  private mutating func skipFoldedLine() throws(TOMLError) -> Bool {
    var ahead = 1
    while let byte = cursor.peek(ahead), byte == 0x20 || byte == 0x09 { ahead += 1 }
    let isCRLF =
      cursor.peek(ahead) == UInt8(ascii: "\r") && cursor.peek(ahead + 1) == UInt8(ascii: "\n")
    guard cursor.peek(ahead) == UInt8(ascii: "\n") || isCRLF else { return false }
    cursor.advance(ahead)
    repeat { cursor.skipBlanks() } while cursor.skipNewline()
    return true
  }

  private mutating func escape(into text: inout [UInt8]) throws(TOMLError) {
    let letter = cursor.peek(1)
    switch letter {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "u"): return try unicodeEscape(digits: 4, into: &text)
    case UInt8(ascii: "U"): return try unicodeEscape(digits: 8, into: &text)
    default:
      throw cursor.error(
        found: "an unknown escape", expected: #"\b \t \n \f \r \" \\ \uXXXX or \UXXXXXXXX"#)
    }
    cursor.advance(2)
  }

  private mutating func unicodeEscape(digits: Int, into text: inout [UInt8]) throws(TOMLError) {
    var number: UInt32 = 0
    for ahead in 2..<2 + digits {
      guard let byte = cursor.peek(ahead), let digit = TOMLNumber.digit(byte, radix: 16) else {
        throw cursor.error(
          found: "an unfinished escape", expected: "\(digits) hexadecimal digits")
      }
      number = number << 4 | UInt32(digit)
    }
    guard let scalar = Unicode.Scalar(number) else {
      throw cursor.error(
        found: "U+\(String(number, radix: 16, uppercase: true))", expected: "a Unicode scalar")
    }
    text.append(contentsOf: String(Character(scalar)).utf8)
    cursor.advance(2 + digits)
  }
}

extension TOMLCursor {
  func requireSize() throws(TOMLError) {
    guard bytes.count > TOMLParser.maxTextSize else { return }
    throw error(
      at: 0, found: "\(bytes.count) bytes", expected: "at most \(TOMLParser.maxTextSize) bytes")
  }

  /// TOML must be valid UTF-8.
  func requireUTF8() throws(TOMLError) {
    var cursor = self
    while cursor.nextForeign() {
      guard Self.isControl(bytes[cursor.index]) else { throw cursor.foreignError }
      cursor.advance()
    }
  }

  /// Moves to the next byte that TOML does not allow anywhere: invalid UTF-8 or a control
  /// character. Carriage returns are excluded, because they may be part of a line end.
  ///
  /// - Returns: whether there is one.
  mutating func nextForeign() -> Bool {
    while let first = next {
      if first < 0x80 {
        if Self.isControl(first), first != UInt8(ascii: "\n"), first != UInt8(ascii: "\r") {
          return true
        }
        advance()
        continue
      }
      var rest = bytes[index..<min(bytes.count, index + 4)].makeIterator()
      var decoder = Unicode.UTF8()
      guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return true }
      advance(UTF8.width(scalar))
    }
    return false
  }

  /// The error for the byte that `nextForeign` has found.
  var foreignError: TOMLError {
    guard let byte = next, byte >= 0x80 else { return error(expected: "no control character") }
    return error(found: "the byte 0x\(String(byte, radix: 16))", expected: "text in UTF-8")
  }
}
