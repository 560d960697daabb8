import Glibc
import Notation

/// What a listing prints: a table with aligned columns for people, or a JSON array for programs.
/// Rows go out as they come, so that a year of points never sits in memory.
struct Listing {
  struct Column {
    enum Side { case left, right }
    let title: String
    let width: Int
    let side: Side

    init(_ title: String, _ width: Int, _ side: Side = .left) {
      self.title = title
      self.width = width
      self.side = side
    }
  }

  private let columns: [Column]
  private let isJSON: Bool
  private var output: [UInt8] = []
  private var json = JSONWriter()
  private var rows = 0

  init(json: Bool, _ columns: [Column]) {
    self.columns = columns
    isJSON = json
    if !isJSON { line(columns.map(\.title)) }
  }

  /// Adds one row: `cells` for people in the order of the columns, `object` for programs.
  mutating func row(
    cells: () -> [String], object: (inout JSONWriter) -> Void
  ) throws(FileFailure) {
    if isJSON {
      json.removeAll()
      object(&json)
      output.append(contentsOf: (rows == 0 ? "[\n" : ",\n").utf8)
      output.append(contentsOf: json.bytes)
    } else {
      line(cells())
    }
    rows += 1
    if output.count > OutputBytes.plenty { try flush() }
  }

  mutating func finish() throws(FileFailure) {
    if isJSON { output.append(contentsOf: (rows == 0 ? "[]\n" : "\n]\n").utf8) }
    try flush()
  }

  private mutating func flush() throws(FileFailure) {
    try OutputBytes.write(output, to: STDOUT_FILENO, name: "standard output")
    output.removeAll(keepingCapacity: true)
  }

  private mutating func line(_ cells: [String]) {
    var text = ""
    for (index, (cell, column)) in zip(cells, columns).enumerated() {
      let cell = cell.harmless
      let padding = String(repeating: " ", count: max(0, column.width - cell.count))
      let isLast = index == columns.count - 1
      switch column.side {
      case .left: text += cell + (isLast ? "" : padding)
      case .right: text += padding + cell
      }
      if !isLast { text += "  " }
    }
    output.append(contentsOf: text.utf8)
    output.append(UInt8(ascii: "\n"))
  }
}

extension Unicode.Scalar {
  var isControl: Bool { properties.generalCategory == .control }
}

extension String {
  /// Fit for a terminal: any program may have written a label, with escape sequences in it.
  var harmless: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars { text.unicodeScalars.append(scalar.isControl ? " " : scalar) }
    return text
  }
}
