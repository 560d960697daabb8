import Notation
import Quantities

/// The fields of one line of a table (RFC 4180), one after the other.
struct CSVFields {
  let line: UnsafeBufferPointer<UInt8>
  private var index = 0

  init(_ line: UnsafeBufferPointer<UInt8>) { self.line = line }

  var isAtEnd: Bool { index >= line.count }

  /// The bytes up to the next separator, without spaces and quotes around them.
  mutating func next(_ separator: UInt8) -> UnsafeBufferPointer<UInt8> {
    guard index < line.count else { return UnsafeBufferPointer(rebasing: line[line.count...]) }
    var start = index
    if line[index] == UInt8(ascii: "\"") {
      start = index + 1
      index = start
      while index < line.count {
        if line[index] == UInt8(ascii: "\"") {
          // Two are one of the content.
          guard index + 1 < line.count, line[index + 1] == UInt8(ascii: "\"") else { break }
          index += 1
        }
        index += 1
      }
    }
    let quoteEnd = index
    while index < line.count, line[index] != separator { index += 1 }
    var end = start > 0 && line[start - 1] == UInt8(ascii: "\"") ? quoteEnd : index
    index += 1
    while start < end, line[start] == 0x20 { start += 1 }
    while end > start, line[end - 1] == 0x20 { end -= 1 }
    return UnsafeBufferPointer(rebasing: line[start..<end])
  }

  /// ISO 8601, or seconds since 1970.
  static func time(_ field: UnsafeBufferPointer<UInt8>) -> UTCInstant? {
    beginsWithDate(field) ? ISO8601.parse(field) : DecimalText.unixTime(field)
  }

  static func beginsWithDate(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    field.count > 4 && field[4] == UInt8(ascii: "-")
  }

  /// The beginning of it, for a message, without terminal control characters.
  static func text(_ field: UnsafeBufferPointer<UInt8>, most: Int = 40) -> String {
    TerminalText.line(String(decoding: field.prefix(most), as: UTF8.self))
  }
}
