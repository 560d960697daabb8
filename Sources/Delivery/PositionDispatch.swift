import Formats
import Records

/// The messages for receivers of positions alone, in their own formats.
struct PositionDispatch: Sendable {
  /// The board's id for OsmAnd's receiver.
  let osmAndDevice: String
  /// The board's id for Overland's receiver.
  let overlandDevice: String

  func item(
    to recipient: Recipient, for change: RecordChange, _ record: any StoredRecord
  ) -> OutboxItem? {
    guard let point = record as? TrackPoint else { return nil }
    let payload = recipient == .osmand ? osmAnd(point) : overland(point)
    return OutboxItem(
      to: recipient, layer: change.layer, record: change.record, payload: payload)
  }

  private func osmAnd(_ point: TrackPoint) -> [UInt8] {
    let location = point.location
    var report = OsmAndReport(osmAndDevice, at: location.time, location.position)
    report.accuracy = location.accuracy
    report.altitude = location.altitude
    report.speed = location.speed
    report.course = location.track
    // Traccar stores unknown fields as attributes.
    report.attributes = [OsmAndReport.Attribute("source", location.source.rawValue)]
    return Array(report.query.utf8)
  }

  private func overland(_ point: TrackPoint) -> [UInt8] {
    let location = point.location
    var place = OverlandBatch.Point(location.time, location.position)
    place.accuracy = location.accuracy
    place.altitude = location.altitude
    place.speed = location.speed
    place.course = location.track
    return OverlandBatch(overlandDevice, [place]).features[0]
  }
}
