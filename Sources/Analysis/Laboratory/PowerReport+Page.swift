import Formats
import Core

/// The report as one page with its figure, and the figure as separate files.
extension PowerReport {
  public var page: [UInt8] {
    let cells = PowerReportCells(report: self)
    let energy = "Energy of \(names.joined(separator: ", "))"
    var page = WebPage(title: test.map { "\($0.name): \(energy)" } ?? energy)
    if let about = test?.about, !about.isEmpty { page.paragraph(about) }
    if let verdict { page.warning(verdict) }
    if doubts.count > 1 { page.list(Array(doubts.dropFirst())) }
    page.table(cells.conditionHeads, cells.conditions)
    for table in cells.furtherTables {
      page.heading(table.title)
      page.table(table.heads, table.rows)
    }
    if let idleBoard = test?.idleBoard { page.paragraph(idleBoard) }
    page.paragraph(methods)
    page.paragraph(Self.notes.joined(separator: " "))
    page.heading("Cumulative charge")
    page.figure(chart)
    page.heading("Recordings")
    page.table(
      [
        "file", "condition", "start (UTC)", "host", "monitor", "readings", "missing", "jitter p50",
        "p95", "max",
      ], runs.map { Self.row($0.run, of: $0.name) })
    return page.bytes
  }

  private var names: [String] { lines.map { $0.condition.title } }

  private var runs: [(name: String, run: RecordedRun)] {
    lines.flatMap { line in
      line.condition.runs.map { (line.condition.title, $0) }
    }
  }

  private static func row(_ run: RecordedRun, of condition: String) -> [String] {
    let statistics = run.statistics
    func milliseconds(_ share: Double) -> String {
      statistics.jitter.quantile(share).map {
        FixedDecimal.text($0.value * 1000, digits: 2) + " ms"
      }
        ?? "-"
    }
    return [
      TerminalText.line(run.file), condition, run.details.start ?? "-", run.details.host ?? "-",
      run.details.instrument ?? "-", "\(statistics.readings)",
      FixedDecimal.text(100 * run.missingShare, digits: 2) + " %", milliseconds(0.5),
      milliseconds(0.95), milliseconds(1),
    ]
  }

  /// The cumulative charge of every run, as drawn by Powergremlin (Landsmann 2013, figure 3.2).
  public var chart: LineChart {
    let longest = runs.compactMap { $0.run.curve.points.last?.value.elapsed }.max() ?? 0
    let (unit, length): (String, Seconds) =
      longest < 600 ? ("s", 1) : longest < .hours(10) ? ("min", .minutes(1)) : ("h", .hours(1))
    return LineChart(
      title: "Charge of \(names.joined(separator: ", "))",
      x: "time since the first reading (\(unit))",
      y: "charge (mAh)",
      lines: runs.map { name, run in
        LineChart.Line(name: name, pieces: Self.pieces(run.curve, per: length))
      })
  }

  private static func pieces(
    _ curve: ChargeCurve, per length: Seconds
  ) -> [[(x: Double, y: Double)]] {
    var pieces: [[(x: Double, y: Double)]] = [[]]
    for point in curve.points {
      if point.beginsLine { pieces.append([]) }
      pieces[pieces.count - 1].append(
        (point.value.elapsed / length, point.value.charge.milliampereHours))
    }
    return pieces
  }

  /// The data of the figure: a table (CSV) with a row for each point.
  public var chartData: [UInt8] {
    var bytes = Array(ChartRow.columns.csvHeading.utf8)
    for (name, run) in runs {
      for point in run.curve.points {
        ChartRow.columns.append(
          ChartRow(condition: name, file: TerminalText.line(run.file), point: point), toCSV: &bytes)
      }
    }
    return bytes
  }
}

/// One point of the figure's data.
private struct ChartRow {
  let condition: String
  let file: String
  let point: ChargeCurve.Point

  static let columns = Columns<ChartRow>([
    .text("condition", csv: "condition") { $0.condition },
    .text("file", csv: "file") { $0.file },
    .number("time_s", digits: 3, csv: "time_s") { $0.point.value.elapsed.value },
    .number("charge_mAh", digits: 6, csv: "charge_mAh") { $0.point.value.charge.milliampereHours },
    .flag("after_gap", csv: "after_gap") { $0.point.beginsLine },
  ])
}
