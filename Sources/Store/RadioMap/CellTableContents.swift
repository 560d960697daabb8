import Platform
import Core

/// The contents of an imported table of cells, for `godwit cells show`.
public struct CellTableContents: Sendable {
  public let bytes: Int
  public let cells: Int
  /// By the country's code (MCC), in its order.
  public let countries: [(mcc: Int, cells: Int)]
  /// When the newest row was measured, in seconds since 1970; nil if the table has no dates.
  public let newest: Int64?
  /// When the import was complete.
  public let imported: UTCInstant

  /// Reads all of it: a second for ten million cells.
  ///
  /// - Returns: nil if there is no such file.
  public init?(path: String) throws(CellImportError) {
    guard let status = FileStatus(path: path) else { return nil }
    bytes = Int(status.kernel.st_size)
    imported = UTCInstant(seconds: Double(status.kernel.st_mtim.tv_sec))
    do throws(Database.Failure) {
      guard try CellTable(path: path) != nil else { return nil }
      let database = try Database(path: path, access: .immutable, cacheKilobytes: 1000)
      let row = try database.prepared(
        "SELECT (id >> 50) & 1023, count(*), max(updated_s) FROM cells GROUP BY 1 ORDER BY 1")
      var countries: [(mcc: Int, cells: Int)] = []
      var newest: Int64 = 0
      while try row.step() {
        countries.append((Int(row.integer(0) ?? 0), Int(row.integer(1) ?? 0)))
        newest = max(newest, row.integer(2) ?? 0)
      }
      row.reset()
      self.countries = countries
      cells = countries.reduce(0) { $0 + $1.cells }
      self.newest = newest > 0 ? newest : nil
    } catch {
      throw CellImportError(reading: error, path)
    }
  }
}

extension CellImportError {
  init(reading failure: Database.Failure, _ path: String) {
    let advice =
      failure.kind == .foreign
      ? "it is not a cell table: use another path" : "import them again with `godwit cells import`"
    self.init("cannot read the cells in \(path): \(failure.text); \(advice)")
  }
}
