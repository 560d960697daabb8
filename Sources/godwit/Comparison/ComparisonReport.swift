import Formats
import Core

/// A comparison as a table for people, as JSON, as CSV and as a page.
struct ComparisonReport {
  /// With more lines, single runs are only in files.
  private static let mostSingleLines = 60
  /// In characters; a wider table gets narrower gaps.
  private static let widestTable = 120
  /// The maximum length of a command in the table, in characters; JSON, CSV and the page contain
  /// all of it.
  private static let longestCommand = 2000

  /// The text columns, which are left-aligned.
  private static let words = ["POLICY", "OF"]

  let pooled: [ComparisonLine]
  let single: [ComparisonLine]
  /// Explanations of the columns, and remarks about the runs.
  let notes: [String]
  let provenance: Provenance

  /// Whether the lines of single runs add information.
  private var hasSingle: Bool { pooled.contains { $0.runs > 1 } }

  // MARK: For programs

  /// One array, line by line: the lines of all runs, and as its last element the provenance.
  func writeJSON(_ output: inout OutputBytes) throws {
    var separator = "["
    for line in pooled + single {
      output.json.raw(separator)
      ComparisonLine.columns.append(line, to: &output.json)
      output.json.newline()
      separator = ","
      try output.flush(beyond: OutputBytes.flushThreshold)
    }
    output.json.raw(separator)
    output.json.value(
      .object([("kind", .string("provenance")), ("provenance", provenance.json)]))
    output.json.raw("]\n")
    try output.flush(beyond: 0)
  }

  var csv: [UInt8] {
    var bytes = Array(ComparisonLine.columns.csvHeading.utf8)
    for line in pooled + single { ComparisonLine.columns.append(line, toCSV: &bytes) }
    return bytes
  }

  // MARK: For people

  var text: String {
    var parts = [table(pooled)]
    if hasSingle {
      parts.append(
        single.count <= Self.mostSingleLines
          ? table(single)
          : "\(single.count) lines of single runs: --csv, --html and --json have them")
    }
    return (parts + [notes.joined(separator: "\n")]).joined(separator: "\n\n")
  }

  private func table(_ lines: [ComparisonLine]) -> String {
    let (titles, rows) = Self.cells(lines)
    let columns = titles.map { TextTable.Column(side: Self.words.contains($0) ? .left : .right) }
    var table = TextTable(columns).fitted(to: [titles] + rows)
    if table.line(titles).count > Self.widestTable {
      table = TextTable(columns, gap: 1).fitted(to: [titles] + rows)
    }
    var text = [table.line(titles)]
    for (line, row) in zip(lines, rows) {
      var cells = table.line(row)
      // Trailing empty cells are dropped.
      while cells.hasSuffix(" ") { cells.removeLast() }
      text.append(cells)
      if let note = Self.note(line) { text.append("  " + note) }
      var command = line.commandText
      if command.count > Self.longestCommand {
        command = "\(command.prefix(Self.longestCommand)) ... (whole in --csv, --html and --json)"
      }
      text.append("  \(command)")
    }
    return text.joined(separator: "\n")
  }

  /// Omits the columns without any value.
  private static func cells(_ lines: [ComparisonLine]) -> (titles: [String], rows: [[String]]) {
    let columns = ComparisonLine.columns
    let rows = lines.map { line in
      columns.cells(of: line, style: TableStyle()).map { TerminalText.line($0) }
    }
    let used = columns.titles.indices.filter { index in
      rows.contains { !$0[index].isEmpty }
    }
    return (used.map { columns.titles[$0] }, rows.map { row in used.map { row[$0] } })
  }

  private static func note(_ line: ComparisonLine) -> String? {
    if let error = line.error { return "failed: \(error)" }
    guard line.failed > 0 else { return nil }
    return "\(line.failed) of \(Counted.text(line.runs, "run")) failed"
  }

  var page: [UInt8] {
    var page = WebPage(title: "Comparison of policies")
    page.list(notes)
    Self.add(pooled, to: &page)
    if hasSingle {
      page.heading("Each run")
      Self.add(single, to: &page)
    }
    if let chart {
      page.heading("Cumulative charge")
      page.figure(chart)
    }
    page.details("Provenance", provenance.json.text)
    return page.bytes
  }

  /// The receiver's charge in every run, as in Powergremlin (Landsmann 2013, figure 3.2).
  private var chart: LineChart? {
    let lines = single.filter { !$0.curve.isEmpty }
    guard !lines.isEmpty else { return nil }
    let longest = lines.compactMap { $0.curve.last?.x }.max() ?? 0
    let (unit, inAnHour) = longest < 10 ? ("min", 60.0) : ("h", 1.0)
    return LineChart(
      title: "Charge of the receiver", x: "time since the start (\(unit))", y: "charge (mAh)",
      lines: lines.map { line in
        LineChart.Line(
          name: line.name, pieces: [line.curve.map { ($0.x * inAnHour, $0.y) }])
      })
  }

  private static func add(_ lines: [ComparisonLine], to page: inout WebPage) {
    let (titles, rows) = cells(lines)
    page.table(
      titles,
      zip(lines, rows).map { line, row in
        (row, [note(line), line.commandText].compactMap { $0 }.joined(separator: "\n"))
      })
  }
}
