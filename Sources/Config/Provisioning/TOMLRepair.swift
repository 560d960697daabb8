import Core

/// Parses damaged TOML: the statement with the first error is left out, and parsing is repeated
/// until it succeeds. A damaged line costs itself, a damaged header its section, an unclosed list
/// itself.
struct TOMLRepair {
  /// More errors are not typing errors; the limit also bounds the time for a hostile file.
  private static let maxRepairs = 100

  /// A damaged header that is replaced by a generated one, so that its settings do not become part
  /// of another section.
  private struct Replaced {
    let name: String
    let line: Int
    /// The section that the header repeats; nil: the header cannot be parsed.
    let path: [String]?
  }

  /// The names of lists of tables.
  private let lists: Set<String>
  private var lines: [[UInt8]]
  private var replaced: [Replaced] = []
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var table = WrittenTable()

  init(_ lines: [[UInt8]], lists: Set<String>) {
    self.lines = lines
    self.lists = lists
    for _ in 0..<Self.maxRepairs {
      switch Self.parse(self.lines) {
      case .success(let parsed):
        finish(parsed)
        return
      case .failure(let error): repair(error)
      }
    }
    giveUp()
  }

  private static func parse(_ lines: [[UInt8]]) -> Result<WrittenTable, TOMLError> {
    let bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    return Result { () throws(TOMLError) in try TOMLParser.parse(bytes, file: "") }
  }

  private mutating func repair(_ error: TOMLError) {
    // The parser may report one line more than exist: the one after the last line end.
    let end = min(error.line, lines.count) - 1
    let start = min(error.statement - 1, end)
    guard start >= 0 else { return }
    if straighten(start...end) { return }
    let first = lines[start].first { !BootText.isBlank($0) }
    if first == UInt8(ascii: "["), start == end {
      replaceHeader(start, error)
    } else {
      drop(start, end, error)
    }
  }

  /// Keeps everything before the faulty statement.
  private mutating func giveUp() {
    guard case .failure(let error) = Self.parse(lines) else { return }
    let start = min(error.statement, lines.count)
    diagnostics.append(
      Diagnostic(
        line: start, "and everything below it is not used: there are too many errors above it"))
    for index in lines.indices.dropFirst(max(start - 1, 0)) { lines[index] = [] }
    if case .success(let table) = Self.parse(lines) { finish(table) }
  }
}

extension TOMLRepair {
  /// Word processors and phones insert typographic quotes and non-breaking spaces. They are
  /// replaced by plain ones if the line is invalid otherwise.
  private mutating func straighten(_ range: ClosedRange<Int>) -> Bool {
    var straight = lines
    for index in range { straight[index] = Self.straight(lines[index]) }
    guard straight[range] != lines[range], Self.nextError(in: straight) > range.upperBound else {
      return false
    }
    lines = straight
    diagnostics.append(
      Diagnostic(
        line: range.upperBound + 1,
        "typographic quotes or spaces were read as plain ones; write \" and not “ or ”"))
    return true
  }

  private static func straight(_ line: [UInt8]) -> [UInt8] {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\u{201c}", "\u{201d}", "\u{201e}", "\u{201f}": text.append("\"")
      case "\u{2018}", "\u{2019}", "\u{201a}", "\u{201b}": text.append("'")
      case "\u{a0}", "\u{202f}", "\u{2007}": text.append(" ")
      case "\u{200b}", "\u{2060}", "\u{feff}": break
      default: text.append(scalar)
      }
    }
    return Array(String(text).utf8)
  }

  /// The index of the line with the next error; `.max` if there is none.
  private static func nextError(in lines: [[UInt8]]) -> Int {
    guard case .failure(let error) = parse(lines) else { return .max }
    return error.line - 1
  }

  /// Leaves out the lines that let the parser get farthest, and as few as possible: the line with
  /// the error, the line where the statement begins, or the statement with or without the line with
  /// the error, because an unclosed list continues into the following lines.
  private mutating func drop(_ start: Int, _ end: Int, _ error: TOMLError) {
    var ranges = [end...end, start...start, start...end]
    if start < end { ranges.append(start...end - 1) }
    var best: (range: ClosedRange<Int>, reach: Int)?
    for range in ranges where lines[range].contains(where: { !$0.allSatisfy(BootText.isBlank) }) {
      let reach = Self.nextError(in: without(range))
      let isBetter = best.map { (reach, $0.range.count) > ($0.reach, range.count) } ?? true
      if isBetter { best = (range, reach) }
    }
    let range = best?.range ?? start...end
    lines = without(range)
    let isOne = range.count == 1
    let what = isOne ? "cannot be read" : "to line \(range.upperBound + 1) cannot be read"
    diagnostics.append(
      Diagnostic(
        line: range.lowerBound + 1,
        "\(what) and \(isOne ? "is" : "are") not used: \(Self.reason(error, from: range))"))
  }

  private func without(_ range: ClosedRange<Int>) -> [[UInt8]] {
    var rest = lines
    for index in range { rest[index] = [] }
    return rest
  }

  /// Without the text found there, which may be part of a password.
  private static func reason(_ error: TOMLError, from range: ClosedRange<Int>) -> String {
    let line = range == error.line - 1...error.line - 1 ? "" : "line \(error.line), "
    return "\(line)column \(error.column) must be \(error.expected)"
  }
}

extension TOMLRepair {
  private mutating func replaceHeader(_ index: Int, _ error: TOMLError) {
    let line = index + 1
    let path = Self.path(ofHeader: lines[index])
    let name = "\u{1}\(line)"
    if path == nil {
      diagnostics.append(
        Diagnostic(
          line: line,
          "this header cannot be read, and the lines below it, to the next header, are not used: "
            + Self.reason(error, from: index...index)))
    }
    lines[index] = Array("[\"\\u0001\(line)\"]".utf8)
    replaced.append(Replaced(name: name, line: line, path: path))
  }

  /// Nil if the header cannot be parsed even alone.
  private static func path(ofHeader line: [UInt8]) -> [String]? {
    guard case .success(var table) = parse([line]) else { return nil }
    var path: [String] = []
    while let key = table.keys.first {
      path.append(key)
      guard case .table(let inner)? = table[key]?.content else { break }
      table = inner
    }
    return path
  }

  private mutating func finish(_ parsed: WrittenTable) {
    table = parsed
    for header in replaced {
      guard let value = table.remove(header.name), let path = header.path,
        case .table(let more) = value.content
      else { continue }
      let name = path.joined(separator: ".")
      let repeats = Repetition(of: name, isList: lists.contains(name), line: header.line)
      table = repeats.add(more, to: table, at: path[...])
      diagnostics += repeats.complaints(more, in: parsed[path])
    }
  }
}
