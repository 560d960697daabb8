import CSQLite
import FuzzInput

/// Any value that SQLite accepts in any column.
enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Words that some column uses, and times at the limits of the text format.
  private static let words = [
    "", "nan", "inf", "-1", "1e999", "gnss", "coarse", "scheduled", "open", "interrupted", "off",
    "sleeping", "modelled", "warning", "1970-01-01T00:00:00.000Z", "1678-01-01T00:00:00.000+18:00",
    "2261-12-31T23:59:59.999-18:00", "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z",
    "2026-05-01", "2026-05-01T12:34:56.789Z", "\u{0}", "\u{1b}[31m", "</name>&\"'<", "é\u{202e}",
  ]

  /// The usual value for half of all bytes; any value for the others.
  static func wild(_ bytes: inout InputBytes, usual: SQLValue) -> SQLValue {
    let kind = bytes.byte()
    guard kind >= 128 else { return usual }
    switch kind & 7 {
    case 0: return .null
    case 1: return .integer(bytes.wildInteger())
    case 2, 3: return .real(bytes.wild())
    case 4: return .text(bytes.element(words))
    case 5: return .text(String(decoding: bytes.take(bytes.choice(40)), as: UTF8.self))
    case 6: return .blob(Array(bytes.take(bytes.choice(90))))
    default: return position(latitude: bytes.wild(), longitude: bytes.wild())
    }
  }

  /// A point in the format of OGC 12-128r18, section 2.1.3.
  static func position(latitude: Double, longitude: Double) -> SQLValue {
    var bytes: [UInt8] = [0x47, 0x50, 0, 1, 0xE6, 0x10, 0, 0, 1, 1, 0, 0, 0]
    for ordinate in [longitude, latitude] {
      withUnsafeBytes(of: ordinate.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return .blob(bytes)
  }

  func bind(to statement: OpaquePointer, at index: Int32) {
    // SQLITE_TRANSIENT: SQLite makes its own copy.
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch self {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(let text):
      sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copying)
    case .blob(let bytes): sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), copying)
    }
  }
}
