/// Splits XML into tags and text as it arrives, in order. Sufficient for data formats such as GPX:
/// comments, CDATA and processing instructions are handled, document types with declarations are
/// refused, and namespace prefixes are dropped.
struct XMLScanner: Sendable {
  enum Token: Sendable {
    /// Ranges of `bytes`, valid until the next call of `append`.
    case start(name: Range<Int>, attributes: Range<Int>, isEmpty: Bool)
    case end(name: Range<Int>)
    case text(Range<Int>, isLiteral: Bool)
  }

  /// A longer tag or text is refused.
  private let maxTokenLength: Int

  private(set) var bytes: [UInt8] = []
  /// The line on which the last token began.
  private(set) var line = 1
  private var position = 0
  private var countedTo = 0
  private var meetsNUL = false

  /// - Parameter maxTokenLength: in bytes; the default is enough for any field of a trace.
  init(maxTokenLength: Int = 1 << 18) { self.maxTokenLength = maxTokenLength }

  /// XML contains no NUL (XML 1.0, section 2.2), but the last blocks of a file consist of NULs if
  /// the power failed before its data reached the disk. Nothing after one is read.
  mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
    countLines(to: position)
    bytes.removeFirst(position)
    position = 0
    countedTo = 0
    guard !meetsNUL else { return }
    bytes.append(contentsOf: piece.prefix { $0 != 0 })
    meetsNUL = piece.contains(0)
  }

  /// The next token, or nil if its end has not arrived yet.
  mutating func next() throws(TraceError) -> Token? {
    while position < bytes.count {
      countLines(to: position)
      let token: Token?
      let isComplete: Bool
      if bytes[position] == UInt8(ascii: "<") {
        (token, isComplete) = try markup()
      } else {
        (token, isComplete) = text()
      }
      guard isComplete else {
        guard bytes.count - position <= maxTokenLength else {
          throw TraceError(line: line, "a tag or text of more than \(maxTokenLength) bytes")
        }
        return nil
      }
      if let token { return token }
    }
    return nil
  }

  /// Why the document is incomplete after the whole file was read; nil if it may be complete: only
  /// white space may be left.
  mutating func cut() -> TraceError? {
    let isWhole = bytes[position...].allSatisfy { $0 <= 0x20 }
    let start = line
    countLines(to: bytes.count)
    if meetsNUL {
      return TraceError(
        line: line,
        "a NUL, which XML cannot contain: a power failure cut the file off here, or it is not UTF-8"
      )
    }
    return isWhole
      ? nil
      : TraceError(line: start, "the file ends in the middle of a tag; check that it is complete")
  }

  private mutating func text() -> (Token?, Bool) {
    var end = position
    while end < bytes.count, bytes[end] != UInt8(ascii: "<") { end += 1 }
    guard end < bytes.count else { return (nil, false) }
    defer { position = end }
    return (.text(position..<end, isLiteral: false), true)
  }

  private mutating func markup() throws(TraceError) -> (Token?, Bool) {
    if has("<!--") { return skip(past: "-->", from: position + 4) }
    if has("<?") { return skip(past: "?>", from: position + 2) }
    if has("<![CDATA[") {
      let start = position + 9
      guard let end = find("]]>", from: start) else { return (nil, false) }
      position = end + 3
      return (.text(start..<end, isLiteral: true), true)
    }
    guard let close = tagEnd() else { return (nil, false) }
    if has("<!") {
      guard !bytes[position..<close].contains(UInt8(ascii: "[")) else {
        throw TraceError(line: line, "a document type with declarations; remove the <!DOCTYPE>")
      }
      position = close + 1
      return (nil, true)
    }
    defer { position = close + 1 }
    return (try tag(position + 1, close), true)
  }

  private func tag(_ start: Int, _ close: Int) throws(TraceError) -> Token {
    let isEnd = bytes[start] == UInt8(ascii: "/")
    let isEmpty = close > start && bytes[close - 1] == UInt8(ascii: "/")
    var nameStart = isEnd ? start + 1 : start
    var index = nameStart
    while index < close, bytes[index] > 0x20, bytes[index] != UInt8(ascii: "/") {
      if bytes[index] == UInt8(ascii: ":") { nameStart = index + 1 }
      index += 1
    }
    guard index > nameStart else { throw TraceError(line: line, "a tag without a name") }
    if isEnd { return .end(name: nameStart..<index) }
    let attributesEnd = max(index, isEmpty ? close - 1 : close)
    return .start(name: nameStart..<index, attributes: index..<attributesEnd, isEmpty: isEmpty)
  }

  /// The position of the ">" that ends this tag, ignoring those in quoted values.
  private func tagEnd() -> Int? {
    var quote: UInt8 = 0
    var index = position + 1
    while index < bytes.count {
      let byte = bytes[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: ">") {
        return index > position + 1 ? index : nil
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      index += 1
    }
    return nil
  }

  private mutating func skip(past end: StaticString, from start: Int) -> (Token?, Bool) {
    guard let found = find(end, from: start) else { return (nil, false) }
    position = found + end.utf8CodeUnitCount
    return (nil, true)
  }

  private func find(_ word: StaticString, from start: Int) -> Int? {
    guard start <= bytes.count else { return nil }
    return bytes[start...].indices.first { has(word, at: $0) }
  }

  private func has(_ word: StaticString) -> Bool { has(word, at: position) }

  private func has(_ word: StaticString, at index: Int) -> Bool {
    word.withUTF8Buffer { word in
      guard bytes.count - index >= word.count else { return false }
      for offset in 0..<word.count where bytes[index + offset] != word[offset] { return false }
      return true
    }
  }

  private mutating func countLines(to end: Int) {
    for index in countedTo..<end where bytes[index] == 0x0A { line += 1 }
    countedTo = end
  }
}

extension XMLScanner {
  func isName(_ range: Range<Int>, _ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      guard range.count == word.count else { return false }
      for offset in 0..<word.count where bytes[range.lowerBound + offset] != word[offset] {
        return false
      }
      return true
    }
  }

  /// Calls `body` with the name and the value of each attribute.
  func attributes(
    _ range: Range<Int>, _ body: (Range<Int>, Range<Int>) throws(TraceError) -> Void
  ) throws(TraceError) {
    var index = range.lowerBound
    while true {
      while index < range.upperBound, bytes[index] <= 0x20 { index += 1 }
      guard index < range.upperBound else { return }
      var nameStart = index
      while index < range.upperBound, bytes[index] > 0x20, bytes[index] != UInt8(ascii: "=") {
        if bytes[index] == UInt8(ascii: ":") { nameStart = index + 1 }
        index += 1
      }
      let name = nameStart..<index
      while index < range.upperBound, bytes[index] <= 0x20 || bytes[index] == UInt8(ascii: "=") {
        index += 1
      }
      guard index < range.upperBound else {
        throw TraceError(line: line, "an attribute without a value")
      }
      let quote = bytes[index]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        throw TraceError(line: line, "an attribute's value without quotes")
      }
      let start = index + 1
      index = start
      while index < range.upperBound, bytes[index] != quote { index += 1 }
      guard index < range.upperBound else {
        throw TraceError(line: line, "an attribute's value without its closing quote")
      }
      try body(name, start..<index)
      index += 1
    }
  }

  /// Appends the text with its entities resolved; only XML's own five and numeric ones are
  /// supported.
  func appendText(_ range: Range<Int>, to text: inout [UInt8]) throws(TraceError) {
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "&") else {
        text.append(bytes[index])
        index += 1
        continue
      }
      let limit = min(range.upperBound, index + 12)
      guard let end = bytes[index..<limit].firstIndex(of: UInt8(ascii: ";")) else {
        throw TraceError(line: line, "an \"&\" that does not begin an entity; write &amp;")
      }
      let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
      guard let scalar = Self.entity(name) else {
        throw TraceError(line: line, "the entity &\(name); is not supported")
      }
      text.append(contentsOf: String(Character(scalar)).utf8)
      index = end + 1
    }
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": "<"
    case "gt": ">"
    case "amp": "&"
    case "quot": "\""
    case "apos": "'"
    default:
      if name.hasPrefix("#x") {
        UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      } else if name.hasPrefix("#") {
        UInt32(name.dropFirst(1)).flatMap(Unicode.Scalar.init)
      } else {
        nil
      }
    }
  }
}
