/// A line of iCalendar, RFC 5545 section 3.1: `NAME;PARAMETER=VALUE:VALUE`.
struct ContentLine {
  /// In capitals.
  let name: String
  /// Names in capitals, values without their quotes.
  let parameters: [(name: String, value: String)]
  let value: String

  /// Octets of a line, without its end.
  private static let width = 75

  /// - Parameter text: an unfolded line without its end.
  init(parsing text: Substring) throws(RecurrenceError) {
    let malformed = RecurrenceError.malformed("line \(text.prefix(40))")
    var isQuoted = false
    var fields: [Substring] = []
    var begin = text.startIndex
    var colon: Substring.Index?
    for index in text.indices {
      switch text[index] {
      case "\"": isQuoted.toggle()
      case ";" where !isQuoted:
        fields.append(text[begin..<index])
        begin = text.index(after: index)
      case ":" where !isQuoted: colon = index
      default: break
      }
      if colon != nil { break }
    }
    guard let colon else { throw malformed }
    fields.append(text[begin..<colon])
    name = fields[0].uppercased()
    var parameters: [(name: String, value: String)] = []
    for field in fields.dropFirst() {
      guard let equals = field.firstIndex(of: "=") else { throw malformed }
      let value = field[field.index(after: equals)...].filter { $0 != "\"" }
      parameters.append((field[..<equals].uppercased(), value))
    }
    self.parameters = parameters
    value = String(text[text.index(after: colon)...])
  }

  /// The unfolded lines of a text. Empty lines are left out; a line feed alone also ends a line.
  static func lines(of text: String) -> [String] {
    var lines: [[UInt8]] = []
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard let first = line.first else { continue }
      if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t"), !lines.isEmpty {
        lines[lines.count - 1].append(contentsOf: line.dropFirst())
      } else {
        lines.append(Array(line))
      }
    }
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The line with its end, folded after 75 octets, never within a character.
  static func folded(_ line: String) -> String {
    var text = ""
    var width = 0
    for scalar in line.unicodeScalars {
      let size = UTF8.width(scalar)
      if width + size > Self.width {
        text += "\r\n "
        width = 1
      }
      text.unicodeScalars.append(scalar)
      width += size
    }
    return text + "\r\n"
  }
}
