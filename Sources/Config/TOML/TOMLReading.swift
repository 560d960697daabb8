import Core

/// Parses a text and collects all syntax errors, as far as possible: an unreadable line costs
/// itself, and an unreadable header its table. A byte that TOML does not allow counts as a blank,
/// because it may be in a comment or a text. Parsing ends where the end of a faulty statement is
/// unknown.
struct TOMLReading {
  /// More errors are not typing errors; the limit also bounds the time for a hostile file.
  private static let mostErrors = 20

  /// The valid part.
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

  /// Reports the first such byte of each line, and replaces all of them by blanks.
  private mutating func withoutForeign(_ bytes: [UInt8], _ file: String) -> [UInt8] {
    var bytes = bytes
    var cursor = TOMLCursor(file: file, bytes: bytes)
    var line = 0
    while errors.count < Self.mostErrors, cursor.nextForeign() {
      // Building an error takes time in proportion to the line's length.
      if cursor.line != line { insert(cursor.foreignError) }
      line = cursor.line
      bytes[cursor.index] = UInt8(ascii: " ")
      cursor.advance()
    }
    return bytes
  }

  /// At most one error per line, ordered by line.
  private mutating func insert(_ error: TOMLError) {
    let index = errors.firstIndex { $0.line >= error.line } ?? errors.endIndex
    if index == errors.endIndex || errors[index].line > error.line {
      errors.insert(error, at: index)
    }
  }

  /// The replacement for the line; nil: the statement may continue below.
  private static func rest(
    of line: ArraySlice<UInt8>, _ number: Int, _ replaced: inout [String]
  ) -> ArraySlice<UInt8>? {
    let text = String(decoding: line, as: UTF8.self)
    guard !text.contains("\"\"\""), !text.contains("'''") else { return nil }
    let words = text.split { " \t\r".contains($0) }
    guard let first = words.first, let last = words.last else { return nil }
    if first.hasPrefix("[") {
      // The lines below it do not become part of another table. A name that exists already comes
      // from the text itself.
      let name = "\u{1}\(number)"
      guard !replaced.contains(name) else { return nil }
      replaced.append(name)
      return Array("[\"\\u0001\(number)\"]".utf8)[...]
    }
    // A list, or an inline table that the author assumed to allow several lines.
    guard let bracket = text.first(where: { "[{".contains($0) }) else { return [] }
    return last.hasSuffix(bracket == "[" ? "]" : "}") ? [] : nil
  }
}
