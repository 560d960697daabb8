import Formats
import Core

extension PowerReport {
  /// For a terminal. Doubts about the figures come first.
  public var text: String {
    let cells = PowerReportCells(report: self)
    var lines = verdict.map { [$0, ""] } ?? []
    for doubt in doubts.dropFirst() { lines.append("  \(doubt)") }
    if doubts.count > 1 { lines.append("") }
    lines += Self.table(cells.conditionHeads, cells.conditions)
    for table in cells.furtherTables {
      lines += ["", table.title + ":"] + Self.table(table.heads, table.rows)
    }
    lines += [""] + [test?.idleBoard].compactMap { $0 } + [methods] + Self.notes
    return lines.joined(separator: "\n")
  }

  /// The first line, where there are doubts.
  public var verdict: String? {
    guard let first = doubts.first else { return nil }
    let more = doubts.count > 1 ? "; and \(doubts.count - 1) more:" : ""
    return "UNRELIABLE: \(first)\(more)"
  }

  /// How the intervals of the conditions were computed, and from how many runs.
  var methods: String {
    let said = lines.map { line in
      "\(line.condition.title): n = \(line.condition.currents.count), "
        + PowerReportCells.method(line.interval, isPaired: false)
    }
    return "Intervals (95 %): " + said.joined(separator: "; ") + "."
  }

  private static func table(_ heads: [String], _ rows: [[String]]) -> [String] {
    let lines = [heads] + rows
    let columns = heads.indices.map { TextTable.Column(side: $0 == 0 ? .left : .right) }
    let table = TextTable(columns).fitted(to: lines)
    return lines.map { table.line($0) }
  }
}
