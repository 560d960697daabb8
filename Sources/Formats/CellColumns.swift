import Core
import Records

/// The meaning of the columns of a table of cells, and how a row is read.
struct CellColumns: Sendable {
  private enum Field: Int, CaseIterable {
    case radio, mcc, net, area, cell, lon, lat, range, samples, updated

    /// The names of OpenCelliD and Ichnaea, then those of others.
    var names: [String] {
      switch self {
      case .radio: ["radio"]
      case .mcc: ["mcc"]
      case .net: ["net", "mnc"]
      case .area: ["area", "lac", "tac"]
      case .cell: ["cell", "cellid", "cid"]
      case .lon: ["lon", "longitude"]
      case .lat: ["lat", "latitude"]
      case .range: ["range"]
      case .samples: ["samples"]
      case .updated: ["updated"]
      }
    }

    /// Whether a table without it is readable.
    var isOptional: Bool { self == .range || self == .samples || self == .updated }
  }

  /// The column of each field, by its number; -1: none.
  private var columns: [Int]
  /// The field of each column, by its number; -1: unused.
  private var fields: [Int]
  /// Maximum number of columns of a row.
  private let width: Int

  /// The order in files without a header.
  init() {
    columns = [0, 1, 2, 3, 4, 6, 7, 8, 9, 12]
    fields = Self.fields(of: columns)
    width = 14
  }

  /// Nil: these are not the names of a table of cells.
  init?(names: [String]) {
    columns = Field.allCases.map { field in
      field.names.lazy.compactMap { names.firstIndex(of: $0) }.first ?? -1
    }
    for field in Field.allCases where columns[field.rawValue] < 0 && !field.isOptional {
      return nil
    }
    fields = Self.fields(of: columns)
    width = names.count
  }

  private static func fields(of columns: [Int]) -> [Int] {
    var fields = [Int](repeating: -1, count: (columns.max() ?? 0) + 1)
    for (field, column) in columns.enumerated() where column >= 0 { fields[column] = field }
    return fields
  }

  /// - Parameter latest: limit for the date of a row, in seconds since 1970.
  func row(
    _ line: UnsafeBufferPointer<UInt8>, latest: Int64
  ) throws(CellRowFault) -> CellRow {
    let words = try CellWords(line, fields: fields, width: width)
    guard let radio = Self.radio(words[Field.radio.rawValue]) else { throw .unknownRadio }
    guard let mcc = Self.whole(words[Field.mcc.rawValue]),
      let net = Self.whole(words[Field.net.rawValue]),
      let area = Self.whole(words[Field.area.rawValue]),
      let number = Self.whole(words[Field.cell.rawValue]),
      let longitude = DecimalText.number(words[Field.lon.rawValue]),
      let latitude = DecimalText.number(words[Field.lat.rawValue]),
      let range = Self.optional(words[Field.range.rawValue]),
      let samples = Self.optional(words[Field.samples.rawValue]),
      let updated = Self.optional(words[Field.updated.rawValue])
    else { throw .noNumber }
    guard let mcc = UInt16(exactly: mcc), let mnc = UInt16(exactly: net),
      let area = UInt32(exactly: area),
      let cell = CellIdentity(radio: radio, mcc: mcc, mnc: mnc, area: area, cell: number)
    else { throw .noSuchCell }
    guard let position = Coordinate(checkedLatitude: latitude, longitude: longitude),
      !position.isNullIsland
    else { throw .noPosition }
    guard updated <= Double(latest) else { throw .ahead }
    return CellRow(
      cell: cell, position: position, range: Metres(min(range, Self.mostMetres)),
      samples: Int(min(samples, Self.mostCounted)), updated: Int64(updated))
  }

  /// Half of the Earth's circumference.
  private static let mostMetres = 2e7
  private static let mostCounted = 1e9
  /// The end of the year 9999.
  static let lastSecond: Int64 = 253_402_300_799

  private static let radios: [(name: [UInt8], radio: CellIdentity.Radio)] =
    CellIdentity.Radio.allCases.map { (Array($0.rawValue.utf8), $0) }

  /// In upper or lower case.
  private static func radio(_ word: UnsafeBufferPointer<UInt8>) -> CellIdentity.Radio? {
    for (name, radio) in radios where name.count == word.count {
      if zip(name, word).allSatisfy({ $0 == $1 | 0x20 }) { return radio }
    }
    return nil
  }

  /// Digits only, as many as fit.
  private static func whole(_ word: UnsafeBufferPointer<UInt8>) -> UInt64? {
    guard !word.isEmpty, word.count <= 18 else { return nil }
    var number: UInt64 = 0
    for byte in word {
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      number = number * 10 + UInt64(digit)
    }
    return number
  }

  /// 0 or more; 0 for an empty word, and for a negative number, which means "unknown" in some
  /// tables.
  private static func optional(_ word: UnsafeBufferPointer<UInt8>) -> Double? {
    word.isEmpty ? 0 : DecimalText.number(word).map { max(0, $0) }
  }
}

/// The used words of one line, without a copy and without quotes around them (RFC 4180).
private struct CellWords {
  private let line: UnsafeBufferPointer<UInt8>
  /// By the number of the field; empty if the line has none.
  private var starts = SIMD16<Int16>(repeating: 0)
  private var ends = SIMD16<Int16>(repeating: 0)

  /// - Parameters:
  ///   - line: no longer than an `Int16` can count.
  ///   - fields: the field of each column.
  ///   - width: maximum number of columns: a decimal comma gives more.
  init(_ line: UnsafeBufferPointer<UInt8>, fields: [Int], width: Int) throws(CellRowFault) {
    self.line = line
    var column = 0
    var start = 0
    for index in 0...line.count where index == line.count || line[index] == UInt8(ascii: ",") {
      let field = column < fields.count ? fields[column] : -1
      if field >= 0 {
        let isQuoted =
          index - start > 1 && line[start] == UInt8(ascii: "\"")
          && line[index - 1] == UInt8(ascii: "\"")
        starts[field] = Int16(isQuoted ? start + 1 : start)
        ends[field] = Int16(isQuoted ? index - 1 : index)
      }
      start = index + 1
      column += 1
    }
    guard column >= fields.count else { throw .tooFewColumns }
    guard column <= width else { throw .tooManyColumns }
  }

  subscript(field: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: line[Int(starts[field])..<Int(ends[field])])
  }
}
