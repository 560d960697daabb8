import Core
import Records

/// Access to the recorded data.
public protocol HistoryPort: AnyObject {
  func lastTrackPoint() throws(PortError) -> TrackPoint?
  /// The first ones in the range, which excludes its end; nil: without end.
  func trackPoints(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(PortError) -> [TrackPoint]
  /// The first ones that overlap the range.
  func visits(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(PortError) -> [Visit]
  /// The first ones in the range.
  func crossings(
    from start: UTCInstant, to end: UTCInstant?, atMost most: Int
  ) throws(PortError) -> [Crossing]
  func placeRows(atMost most: Int) throws(PortError) -> [PlaceRow]
  func alertRows(atMost most: Int) throws(PortError) -> [StoredAlert]
  /// The peer messages and their state.
  func messages() throws(PortError) -> [StoredMessage]
}
