import Core

/// A text with everything that is wrong with its syntax, as far as that can be told: what is on a
/// line that cannot be read costs that line, and a header that cannot be read its table. A byte
/// that is nowhere in TOML counts as a blank, as it may stand in a comment or a text. Reading ends
/// where nobody can tell on which line the statement ends that is wrong.
struct TOMLReading {
  /// So many errors are no slips of the pen; also bounds the time that a hostile file takes.
  private static let mostErrors = 20

  /// What could be read.
  private(set) var table = WrittenTable()
  private(set) var errors: [TOMLError] = []

  init(_ bytes: [UInt8], file: String) {
    do throws(TOMLError) {
      try TOMLCursor(file: file, bytes: bytes).requireSize()
    } catch {
      errors = [error]
      return
    }
    let bytes = withoutForeign(bytes, file)
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var replaced: [String] = []
    while errors.count < Self.mostErrors {
      do throws(TOMLError) {
        table = try TOMLParser.document(
          TOMLCursor(file: file, bytes: Array(lines.joined(separator: [UInt8(ascii: "\n")]))))
        for name in replaced { _ = table.remove(name) }
        return
      } catch {
        insert(error)
        let index = error.line - 1
        guard error.line == error.statement, lines.indices.contains(index),
          let rest = Self.rest(of: lines[index], error.line, &replaced)
        else { return }
        lines[index] = rest
      }
    }
  }

  /// Notes the first such byte of each line.
  private mutating func withoutForeign(_ bytes: [UInt8], _ file: String) -> [UInt8] {
    var bytes = bytes
    var cursor = TOMLCursor(file: file, bytes: bytes)
    var line = 0
    while errors.count < Self.mostErrors, cursor.nextForeign() {
      // An error costs as much as its line is long.
      if cursor.line != line { insert(cursor.foreignError) }
      line = cursor.line
      bytes[cursor.index] = UInt8(ascii: " ")
      cursor.advance()
    }
    return bytes
  }

  /// One for each line, in their order.
  private mutating func insert(_ error: TOMLError) {
    let index = errors.firstIndex { $0.line >= error.line } ?? errors.endIndex
    if index == errors.endIndex || errors[index].line > error.line {
      errors.insert(error, at: index)
    }
  }

  /// What the line is replaced by; nil: the statement may go on below.
  private static func rest(
    of line: ArraySlice<UInt8>, _ number: Int, _ replaced: inout [String]
  ) -> ArraySlice<UInt8>? {
    let text = String(decoding: line, as: UTF8.self)
    guard !text.contains("\"\"\""), !text.contains("'''") else { return nil }
    let words = text.split { " \t\r".contains($0) }
    guard let first = words.first, let last = words.last else { return nil }
    if first.hasPrefix("[") {
      // What stands below it belongs to no other table. A name that is there already is the text's.
      let name = "\u{1}\(number)"
      guard !replaced.contains(name) else { return nil }
      replaced.append(name)
      return Array("[\"\\u0001\(number)\"]".utf8)[...]
    }
    // A list, or a table that somebody took for one that may have several lines.
    guard let bracket = text.first(where: { "[{".contains($0) }) else { return [] }
    return last.hasSuffix(bracket == "[" ? "]" : "}") ? [] : nil
  }
}
