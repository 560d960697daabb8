import Ports

/// Gives rows one after the other, some of which may be damaged.
public protocol ReadableRows<Row> {
  associatedtype Row
  /// The next row; nil after the last.
  /// - Throws: `corrupt` where a row cannot be read; the next call goes on behind it.
  mutating func next() throws(PortError) -> Row?
}

extension ReadableRows {
  /// The next row that can be read.
  /// - Parameter remark: told what is wrong with those that cannot.
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

  /// So many at most of those that are left and can be read.
  mutating func firstReadable(_ most: Int) throws(PortError) -> [Row] {
    var rows: [Row] = []
    while rows.count < most, let row = try nextReadable({ _ in }) { rows.append(row) }
    return rows
  }

  /// All that are left and can be read.
  mutating func readable(_ remarks: inout [String]) throws(PortError) -> [Row] {
    var rows: [Row] = []
    while let row = try nextReadable({ remarks.append($0) }) { rows.append(row) }
    return rows
  }
}

extension RowCursor: ReadableRows {}
extension PlaceCursor: ReadableRows {}
