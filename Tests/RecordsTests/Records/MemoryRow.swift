import Core
import Records
import Testing

/// A row in memory, as a table's columns wrote it.
struct MemoryRow: StoredRow {
  let values: [StoredValue]

  init<Row: StoredRecord>(of record: Row, id: Int64) {
    let table = Row.table
    values = [.integer(table.key.id(record) ?? id)] + table.columns.map { $0.value(record) }
  }

  init(values: [StoredValue]) { self.values = values }

  func isNull(_ column: Int32) -> Bool { values[Int(column)] == .null }
  func integer(_ column: Int32) -> Int64? {
    if case .integer(let number) = values[Int(column)] { number } else { nil }
  }
  func real(_ column: Int32) -> Double? {
    if case .real(let number) = values[Int(column)] { number } else { nil }
  }
  func text(_ column: Int32) -> String? {
    if case .text(let text) = values[Int(column)] { text } else { nil }
  }
  func time(_ column: Int32) -> UTCInstant? {
    if case .time(let time) = values[Int(column)] { time } else { nil }
  }
  func position(_ column: Int32) -> Coordinate? {
    if case .position(let position) = values[Int(column)] { position } else { nil }
  }
  func polygons(_ column: Int32) -> [[[Coordinate]]]? {
    if case .polygons(let polygons) = values[Int(column)] { polygons } else { nil }
  }
}

extension StoredRecord {
  /// Every kind must read a record back as it was written.
  func requireRoundTrip() throws {
    let row = MemoryRow(of: self, id: 1)
    #expect(try Self(row: RowReader(row, Self.layout.positions)) == self)
  }
}
