/// Lines of text with aligned cells.
public struct TextTable: Sendable {
  public enum Side: Sendable { case left, right }

  public struct Column: Sendable {
    /// In characters. A longer cell shifts those after it.
    let width: Int
    let side: Side

    public init(width: Int = 0, side: Side = .left) {
      self.width = width
      self.side = side
    }
  }

  private let columns: [Column]
  private let gap: String

  /// - Parameter gap: spaces between two columns.
  public init(_ columns: [Column], gap: Int = 2) {
    self.columns = columns
    self.gap = String(repeating: " ", count: gap)
  }

  /// One line without its end and without spaces after the last cell.
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

/// A page of names with their values beside them.
public struct TextPage: Sendable {
  private let table: TextTable
  private var lines: [String] = []

  /// - Parameter names: the width of the longest name.
  public init(names: Int) { table = TextTable([.init(width: names), .init()]) }

  public var text: String { lines.joined(separator: "\n") }

  /// One line of the known values, separated by commas; no line if none is known.
  public mutating func add(_ name: String, _ parts: [String?]) {
    let known = parts.compactMap { $0 }
    guard !known.isEmpty else { return }
    lines.append(table.line([name, known.joined(separator: ", ")]))
  }

  public mutating func add(_ name: String, _ text: String?) { add(name, [text]) }

  /// A line for each text, the name beside the first.
  public mutating func add(_ name: String, lines texts: [String]) {
    for (index, text) in texts.enumerated() {
      lines.append(table.line([index == 0 ? name : "", text]))
    }
  }
}
