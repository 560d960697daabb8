import Core
import Records

/// Reads the tables of cells of OpenCelliD and Ichnaea (Mozilla Location Service), piece by piece:
///
/// `radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal`
///
/// With that header, the columns may be in any order, with others among them; without it, as in the
/// files of single countries, they are in this order. Any other line is counted by its fault and
/// skipped.
public struct CellTableReader: Sendable {
  /// Valid rows have about 90 bytes.
  static let maxLineLength = 1024

  /// Skipped lines, by their faults.
  public private(set) var faults: [CellRowFault: Int] = [:]
  /// Number of valid rows.
  private(set) var rows = 0
  /// The position up to which everything has been read: the end of a line, in bytes from the start.
  public private(set) var offset: Int
  /// The first line, if it is a header; needed to resume later in the middle of the file.
  public private(set) var header: String?

  private var columns = CellColumns()
  private var carry: [UInt8] = []
  private var isOverlong = false
  private var carriedBytes = 0
  private var isFirstLine: Bool
  private let latest: Int64

  /// - Parameters:
  ///   - latest: limit for the date of a row, in seconds since 1970; nil: the date is not known.
  ///   - offset: position in the file of the bytes to be fed.
  ///   - header: the first line of the file, if that is not fed.
  public init(latest: Int64? = nil, from offset: Int = 0, header: String? = nil) {
    self.latest = latest ?? CellColumns.lastSecond
    self.offset = offset
    isFirstLine = offset == 0
    if let header, let columns = Self.columns(of: Array(header.utf8)) {
      self.header = header
      self.columns = columns
    }
  }

  /// Calls `body` with each row that ends in this piece.
  public mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (CellRow) -> Void
  ) {
    var start = 0
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      let part = UnsafeBufferPointer(rebasing: bytes[start..<end])
      start = end + 1
      offset += carriedBytes + part.count + 1
      carriedBytes = 0
      if carry.isEmpty, !isOverlong {
        take(part, body)
      } else {
        keep(part)
        endCarry(body)
      }
    }
    let rest = UnsafeBufferPointer(rebasing: bytes[start...])
    carriedBytes += rest.count
    keep(rest)
  }

  /// The last line, if its line end is missing.
  public mutating func finish(_ body: (CellRow) -> Void) {
    guard carriedBytes > 0 else { return }
    offset += carriedBytes
    carriedBytes = 0
    endCarry(body)
  }

  private mutating func keep(_ part: UnsafeBufferPointer<UInt8>) {
    guard !isOverlong else { return }
    isOverlong = carry.count + part.count > Self.maxLineLength
    if isOverlong { carry.removeAll() } else { carry.append(contentsOf: part) }
  }

  private mutating func endCarry(_ body: (CellRow) -> Void) {
    var line: [UInt8] = []
    swap(&line, &carry)
    if isOverlong {
      isOverlong = false
      isFirstLine = false
      faults[.tooLong, default: 0] += 1
    } else {
      line.withUnsafeBufferPointer { take($0, body) }
    }
    line.removeAll(keepingCapacity: true)
    swap(&line, &carry)
  }

  private mutating func take(_ whole: UnsafeBufferPointer<UInt8>, _ body: (CellRow) -> Void) {
    guard whole.count <= Self.maxLineLength else {
      isFirstLine = false
      faults[.tooLong, default: 0] += 1
      return
    }
    var line = whole[...]
    if line.last == 0x0D { line = line.dropLast() }
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
      if let found = Self.columns(of: line) {
        columns = found
        header = String(decoding: line, as: UTF8.self)
        return
      }
    }
    guard !line.isEmpty else { return }
    do throws(CellRowFault) {
      let row = try columns.row(UnsafeBufferPointer(rebasing: line), latest: latest)
      rows += 1
      body(row)
    } catch {
      faults[error, default: 0] += 1
    }
  }

  /// Nil: the line is not a header.
  private static func columns(of line: some Collection<UInt8>) -> CellColumns? {
    let names = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self).lowercased().replacing("\"", with: "")
    }
    return CellColumns(names: names)
  }
}
