import TestSupport
import Testing

/// Tables of cells from other programs.
@Suite(.enabled(if: ReportedFiles.isHere, ReportedFiles.absence))
struct ReportedCellsTests {
  struct Cells: CustomTestStringConvertible, Sendable {
    let name: String
    /// Nil: the table is refused.
    let cells: String?
    var says: [String] = []

    var testDescription: String { name }
  }

  static let imported: [Cells] = [
    .init(
      name: "180-cells-odd.csv", cells: "10 cells",
      says: [
        "1 row with too few columns", "1 row with too many columns",
        "2 rows of a radio other than", "5 rows of an impossible cell",
        "2 rows without a position", "1 row with a future date",
      ]),
    .init(name: "181-cells-crlf-bom.csv", cells: "2 cells"),
    .init(name: "182-cells-noheader.csv", cells: "1 cell, from 1 row"),
    .init(name: "184-cells-html.csv", cells: nil, says: ["the table was not changed"]),
    .init(name: "186-cells-mcc-none.csv", cells: "1 cell, from 1 row"),
  ]

  @Test("cells are imported, and rows skipped by the kind of error", arguments: imported)
  func cells(row: Cells) throws {
    let scratch = try ScratchFolder()
    let table = scratch.file("cells.db")
    let found = try Program.run(
      "cells", "import", ReportedFiles.path(row.name), "--table", table)
    #expect(found.exitCode == (row.cells == nil ? 1 : 0), "\(found.messages)")
    if let cells = row.cells { #expect(found.output.contains("cells.db: \(cells)")) }
    for words in row.says {
      #expect((found.output + found.messages).contains(words), "\(found.output) \(found.messages)")
    }
  }
}
