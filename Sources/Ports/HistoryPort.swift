import Core
import Records

/// What was recorded, for whoever asks.
public protocol HistoryPort: AnyObject {
  func lastTrackPoint() throws(PortError) -> TrackPoint?
  /// The first of those in the range, which does not include its end; nil: it has none.
  func trackPoints(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(PortError) -> [TrackPoint]
  /// The first of those of which a part lies in the range.
  func visits(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(PortError) -> [Visit]
  /// The first of those in the range.
  func crossings(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(PortError) -> [Crossing]
  func placeRows(atMost most: Int) throws(PortError) -> [PlaceRow]
  func alertRows(atMost most: Int) throws(PortError) -> [StoredAlert]
  /// What people exchange, and how it stands.
  func messages() throws(PortError) -> [StoredMessage]
}
