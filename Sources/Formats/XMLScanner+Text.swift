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
