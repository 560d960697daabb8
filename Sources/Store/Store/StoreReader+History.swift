import Ports
import Core
import Records

extension StoreReader: HistoryPort {
  public func trackPoints(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(PortError) -> [TrackPoint] {
    try Self.first(most, of: trackPoints(in: TimeRange(from: start, to: end)))
  }

  public func visits(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(PortError) -> [Visit] {
    try Self.first(most, of: visits(in: TimeRange(from: start, to: end)))
  }

  public func crossings(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(PortError) -> [Crossing] {
    try Self.first(most, of: crossings(in: TimeRange(from: start, to: end)))
  }

  public func alertRows(atMost most: Int) throws(PortError) -> [StoredAlert] {
    try Self.first(most, of: alerts())
  }

  public func placeRows(atMost most: Int) throws(PortError) -> [PlaceRow] {
    var cursor = try PlaceCursor(self)
    var rows: [PlaceRow] = []
    while rows.count < most, let row = try cursor.next() { rows.append(row) }
    return rows
  }

  private static func first<Row>(
    _ most: Int, of cursor: RowCursor<Row>
  ) throws(PortError) -> [Row] {
    var cursor = cursor
    var rows: [Row] = []
    while rows.count < most, let row = try cursor.next() { rows.append(row) }
    return rows
  }
}
