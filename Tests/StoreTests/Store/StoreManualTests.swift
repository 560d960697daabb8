import Records
import TestSupport
import Testing

@testable import Store

/// Compares the manual page of the store with the store.
@Suite struct StoreManualTests {
  let page = StoreManual.render(date: "May 1, 2026")

  /// The columns that the page explains, by table or layer.
  private var explained: [String: [String]] {
    var columns: [String: [String]] = [:]
    var table = ""
    for line in page.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.first == ".Ss" { table = words[1] }
      if line.hasPrefix(".It Va ") { columns[table, default: []].append(words[2]) }
    }
    return columns
  }

  @Test("every table and column of a store is explained, in order, and no other")
  func columns() throws {
    let folder = try ScratchFolder()
    let path = folder.file("track.gpkg")
    try GeoPackageStore(path: path).close()
    let connection = try StoreReader.connection(path)
    let statement = try connection.prepareOnce(
      """
      SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
      WHERE t.type IN ('table', 'view') AND t.name NOT LIKE 'gpkg_%'
        AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '%_types'
        AND t.name NOT LIKE 'place_index%' AND t.name NOT IN ('place_edits', 'record_changes')
      ORDER BY c.cid
      """)
    var columns: [String: [String]] = [:]
    while try statement.step() {
      columns[statement.text(0) ?? "", default: []].append(statement.text(1) ?? "")
    }
    #expect(columns.count > 8 && explained == columns)
  }

  @Test("every value of a column with fixed words is explained, in a sentence")
  func words() {
    let columns = Record.schema.flatMap(\.kinds).flatMap { $0.layout.columns }
    let words = columns.flatMap(\.words) + MetaKey.meanings
    #expect(words.count > 30)
    for word in words {
      #expect(page.contains("\n.It Sy \(word.word)\n"), "\(word.word)")
      #expect(word.meaning.hasSuffix("."), "\(word.word)")
    }
    for column in columns { #expect(column.meaning.hasSuffix("."), "\(column.name)") }
  }

  @Test("every number has its unit in its name") func units() {
    let columns = Record.schema.flatMap(\.kinds).flatMap { $0.layout.columns }
    let ratios = ["confidence", "probability_inside"]
    for column in columns where column.type == .double && !ratios.contains(column.name) {
      #expect(ColumnUnit(ofColumn: column.name) != nil, "\(column.name)")
    }
    #expect(ColumnUnit(ofColumn: "speed_m_s") == .metresPerSecond)
    #expect(ColumnUnit(ofColumn: "locations") == nil)
  }
}
