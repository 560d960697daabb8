import Core
import Records

/// A row of a table of cells: the position of a cell from measurements of others.
public struct CellRow: Hashable, Sendable {
  public var cell: CellIdentity
  public var position: Coordinate
  /// The distance of the farthest sample; 0 if the table has none.
  public var range: Metres
  /// The number of measurements; 0 if the table has none.
  public var samples: Int
  /// Time of the last measurement, in seconds since 1970; 0 if the table has none.
  public var updated: Int64

  public init(
    cell: CellIdentity, position: Coordinate, range: Metres, samples: Int, updated: Int64
  ) {
    self.cell = cell
    self.position = position
    self.range = range
    self.samples = samples
    self.updated = updated
  }
}

/// Why a row of a table of cells was skipped.
public enum CellRowFault: Int, Error, CaseIterable, Sendable {
  case tooLong, tooFewColumns, tooManyColumns, unknownRadio, noNumber, noSuchCell, noPosition, ahead

  /// Text for people: "12 rows: …".
  public var text: String {
    switch self {
    case .tooLong: "longer than \(CellTableReader.maxLineLength) bytes"
    case .tooFewColumns: "with too few columns"
    case .tooManyColumns: "with too many columns (decimal commas?)"
    case .unknownRadio: "of a radio other than GSM, UMTS, LTE, NR and CDMA"
    case .noNumber: "with a non-numeric value in a numeric column"
    case .noSuchCell: "of an impossible cell (zero, too large, or the number for unknown)"
    case .noPosition: "without a position on Earth"
    case .ahead: "with a future date"
    }
  }
}
