import Formats
import FuzzInput
import Core
import Records

/// A table of cells. The last byte determines how it is split.
public final class CellsTarget: FuzzTarget {
  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    guard let last = input.last else { return }
    let bytes = UnsafeBufferPointer(rebasing: input.dropLast())
    let whole = read(bytes, piece: max(1, bytes.count))
    for row in whole.rows { try requireSound(row) }
    let cut = read(bytes, piece: 1 + Int(last & 63))
    try require(cut.rows == whole.rows, "a cut table has other rows")
    try require(cut.reader.faults == whole.reader.faults, "a cut table has other faults")
    try require(
      cut.reader.offset == bytes.count && whole.reader.offset == bytes.count,
      "not all was read: \(cut.reader.offset) and \(whole.reader.offset) of \(bytes.count)")
  }

  private func read(
    _ bytes: UnsafeBufferPointer<UInt8>, piece: Int
  ) -> (rows: [CellRow], reader: CellTableReader) {
    var reader = CellTableReader()
    var rows: [CellRow] = []
    var start = 0
    while start < bytes.count {
      let end = min(start + piece, bytes.count)
      reader.feed(UnsafeBufferPointer(rebasing: bytes[start..<end])) { rows.append($0) }
      start = end
    }
    reader.finish { rows.append($0) }
    return (rows, reader)
  }

  private func requireSound(_ row: CellRow) throws(Violation) {
    let text = row.cell.text
    try require(CellIdentity(text: text) == row.cell, "its text is another cell: \(text)")
    let position = row.position
    let isOnEarth =
      Coordinate(
        checkedLatitude: position.latitude.value, longitude: position.longitude.value) != nil
    try require(isOnEarth, "\(position)")
    try require(row.range >= 0 && row.range <= 2e7, "a range of \(row.range)")
    try require(row.samples >= 0 && row.updated >= 0, "\(row.samples) samples, \(row.updated)")
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = CellsTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
