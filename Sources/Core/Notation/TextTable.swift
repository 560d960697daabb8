/// Lines of text with aligned cells.
public struct TextTable: Sendable {
  public enum Side: Sendable { case left, right }

  public struct Column: Sendable {
    /// In characters. A longer cell shifts the cells after it.
    fileprivate(set) var width: Int
    let side: Side

    public init(width: Int = 0, side: Side = .left) {
      self.width = width
      self.side = side
    }
  }

  private var columns: [Column]
  private let gap: String

  /// - Parameter gap: spaces between two columns.
  public init(_ columns: [Column], gap: Int = 2) {
    self.columns = columns
    self.gap = String(repeating: " ", count: gap)
  }

  /// The same table with every column but the last as wide as these lines need.
  public func fitted(to lines: [[String]]) -> TextTable {
    let widths = columns.indices.map { index in
      lines.map { $0.count > index ? $0[index].count : 0 }.max() ?? 0
    }
    return TextTable(
      zip(columns, widths).map { Column(width: $1, side: $0.side) }, gap: gap.count)
  }

  /// Widens each column to its cell where necessary, so that the cells of all later lines are
  /// aligned.
  public mutating func widen(for cells: [String]) {
    for (index, cell) in cells.enumerated() where index < columns.count {
      columns[index].width = max(columns[index].width, cell.count)
    }
  }

  /// One line, without a line end and without trailing spaces.
  public func line(_ cells: [String]) -> String {
    var text = ""
    for (index, (cell, column)) in zip(cells, columns).enumerated() {
      if index > 0 { text += gap }
      let padding = String(repeating: " ", count: max(0, column.width - cell.count))
      switch column.side {
      case .left: text += index == columns.count - 1 ? cell : cell + padding
      case .right: text += padding + cell
      }
    }
    return text
  }
}

/// Names with their values beside them, one per line.
public struct TextPage: Sendable {
  private let table: TextTable
  private var lines: [String] = []

  /// - Parameter names: the width of the longest name.
  public init(names: Int) { table = TextTable([.init(width: names), .init()]) }

  public var text: String { lines.joined(separator: "\n") }

  /// One line with the non-nil values, separated by commas; no line if all are nil.
  public mutating func add(_ name: String, _ parts: [String?]) {
    let known = parts.compactMap { $0 }
    guard !known.isEmpty else { return }
    lines.append(table.line([name, known.joined(separator: ", ")]))
  }

  public mutating func add(_ name: String, _ text: String?) { add(name, [text]) }

  /// One line per text, with the name beside the first.
  public mutating func add(_ name: String, lines texts: [String]) {
    for (index, text) in texts.enumerated() {
      lines.append(table.line([index == 0 ? name : "", text]))
    }
  }
}

/// Untrusted text, made safe for a terminal or a log.
public enum TerminalText {
  /// The text as one line that a terminal only displays. Control characters (C0, C1 and DEL,
  /// ECMA-48) and characters that would break or reverse the line (U+2028, U+2029 and the marks for
  /// the direction of writing) become U+FFFD.
  public static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { safe.append(isUnsafe(scalar) ? "\u{fffd}" : scalar) }
    return String(safe)
  }

  /// The first `limit` bytes of unknown encoding. Every byte that is not printable ASCII becomes
  /// `?`.
  public static func ascii(_ bytes: some Sequence<UInt8>, atMost limit: Int) -> String {
    let printable = bytes.prefix(limit).map {
      (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?")
    }
    return String(decoding: printable, as: UTF8.self)
  }

  /// Whether the text contains a control character (C0, C1 and DEL), such as a line break.
  public static func hasControlCharacter(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
