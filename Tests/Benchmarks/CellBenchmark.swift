import Glibc
import Store
import Records

/// The cell table: what is imported, and the duration of a look-up.
enum CellBenchmark {
  /// Rows of a synthetic table, unsorted as in OpenCelliD's, for `godwit cells import`.
  static func table(_ arguments: [String]) throws {
    let rows = arguments.first.flatMap { Int($0) } ?? 1_000_000
    print(
      "radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,"
        + "averageSignal")
    for start in stride(from: 0, to: rows, by: 1000) {
      let lines = (start..<min(start + 1000, rows)).map { text(of: scattered($0, of: rows)) }
      print(lines.joined(separator: "\n"))
    }
  }

  /// Look-ups in a table imported from those rows.
  static func run(_ arguments: [String]) throws {
    guard let path = arguments.first else {
      print("godwit-bench cells TABLE [ROWS]: the table that was imported from ROWS rows")
      exit(2)
    }
    let rows = arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
    let count = 20_000
    let map = RadioMapFiles(path: path + ".none", table: path)
    let cells = (0..<count).compactMap { cell(scattered($0 &* 37, of: rows)) }
    var found = 0
    let time = Stopwatch.best {
      found = 0
      for cell in cells where (try? map.tableCell(cell)) ?? nil != nil { found += 1 }
    }
    let each = Stopwatch.text(time / Double(cells.count) * 1e6)
    print("cells: \(each) µs a look-up, \(found) of \(cells.count) found among \(rows)")
  }

  /// Every number once in scattered order: the multiplier has no common divisor with the count.
  private static func scattered(_ row: Int, of rows: Int) -> Int {
    (row % rows &* 7_368_787 &+ 12_345) % rows
  }

  private static func cell(_ number: Int) -> CellIdentity? {
    CellIdentity(
      radio: .lte, mcc: 262, mnc: UInt16(1 + number % 3), area: UInt32(1 + number / 5000 % 60_000),
      cell: UInt64(256 + number))
  }

  private static func text(of number: Int) -> String {
    let (longitude, latitude) = (6 + number % 9000, 47_000 + number % 8000)
    return "LTE,262,\(1 + number % 3),\(1 + number / 5000 % 60_000),\(256 + number),0,"
      + "\(longitude / 1000).\(longitude % 1000 + 100),\(latitude / 1000).\(latitude % 1000 + 100),"
      + "1000,7,1,1282569574,\(1_300_155_341 + number),0"
  }
}
