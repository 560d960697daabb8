import Core
import Records

/// What was recorded, for whoever asks.
public protocol HistoryPort: AnyObject {
  func lastTrackPoint() throws(StoreError) -> TrackPoint?
  /// The first of those in the range, which does not include its end; nil: it has none.
  func trackPoints(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(StoreError) -> [TrackPoint]
  /// The first of those of which a part lies in the range.
  func visits(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(StoreError) -> [Visit]
  /// The first of those in the range.
  func crossings(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(StoreError) -> [Crossing]
  func placeRows(atMost most: Int) throws(StoreError) -> [PlaceRow]
  func alertRows(atMost most: Int) throws(StoreError) -> [StoredAlert]
  /// What people exchange, and how it stands.
  func messages() throws(StoreError) -> [StoredMessage]
}
