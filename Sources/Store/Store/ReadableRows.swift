import Ports

/// Returns rows one after the other, some of which may be damaged.
public protocol ReadableRows<Row> {
  associatedtype Row
  /// The next row; nil after the last.
  /// - Throws: `corrupt` if a row is unreadable; the next call continues after it.
  mutating func next() throws(PortError) -> Row?
}

extension ReadableRows {
  /// The next readable row.
  /// - Parameter remark: receives the fault of each unreadable one.
  public mutating func nextReadable(
    _ remark: (String) -> Void
  ) throws(PortError) -> Row? {
    while true {
      do throws(PortError) {
        return try next()
      } catch {
        guard case .corrupt(let message) = error else { throw error }
        remark(message)
      }
    }
  }

  /// At most so many of the remaining readable rows.
  mutating func firstReadable(_ most: Int) throws(PortError) -> [Row] {
    var rows: [Row] = []
    while rows.count < most, let row = try nextReadable({ _ in }) { rows.append(row) }
    return rows
  }

  /// All remaining readable rows.
  mutating func readable(_ remarks: inout [String]) throws(PortError) -> [Row] {
    var rows: [Row] = []
    while let row = try nextReadable({ remarks.append($0) }) { rows.append(row) }
    return rows
  }
}

extension RowCursor: ReadableRows {}
extension PlaceCursor: ReadableRows {}
