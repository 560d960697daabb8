import Ports
import Records

/// The enabled alerts that are readable and within the limit.
struct EnabledAlerts {
  /// At most so many rows are read.
  private static let mostRows = 20_000
  private static let mostRemarks = 50
  /// A value that is not an integer is checked by its type only: it may be longer than the limit
  /// for reading.
  static let condition = "typeof(is_enabled) <> 'integer' OR is_enabled <> 0"

  private(set) var found = StoredAlerts()

  init(_ connection: Connection) throws(PortError) {
    var cursor = try RowCursor<StoredAlert>(
      connection, "WHERE \(Self.condition) ORDER BY id LIMIT \(Self.mostRows)")
    while let row = try cursor.nextReadable({ remark($0) }) {
      guard found.rows.count < StoredAlert.most else {
        found.firstBeyond = row.id
        return
      }
      if row.textBytes <= StoredAlert.mostBytes {
        found.rows.append(row)
      } else {
        remark(
          "alert \(row.id): its texts have more than \(StoredAlert.mostBytes) bytes: shorten them")
      }
    }
  }

  private mutating func remark(_ text: String) {
    if found.remarks.count < Self.mostRemarks { found.remarks.append(text) }
  }

  /// - Throws: `failed` if one more would exceed the limit.
  static func requireRoom(in connection: Connection) throws(PortError) {
    let count = try connection.integer(
      "SELECT count(*) FROM \(StoredAlert.layout.name) WHERE \(condition)")
    guard count ?? 0 >= StoredAlert.most else { return }
    throw .failed(
      "\(StoredAlert.most) alerts are active, which is the maximum; nothing was changed: remove "
        + "one with `godwit alerts remove`, or disable one about places with `godwit "
        + "alerts disarm`")
  }
}
