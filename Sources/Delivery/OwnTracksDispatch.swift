import Formats
import Core
import Records

/// The messages for OwnTracks' apps and servers: positions, and arrivals at and departures from
/// places.
struct OwnTracksDispatch: Sendable {
  let topics: UplinkTopics
  /// One or two characters that represent the board on a map.
  let tracker: String

  func item(
    to recipient: Recipient, for change: RecordChange, _ record: any StoredRecord
  ) -> OutboxItem? {
    switch record {
    case let point as TrackPoint:
      var location = OwnTracksLocation(point, tracker: tracker)
      location.rest = topics.members(of: topics.location, over: recipient.transport)
      // Retained, so that a new subscriber receives the last position.
      return OutboxItem(
        to: recipient, layer: change.layer, record: change.record,
        topic: topic(recipient, topics.location), isRetained: recipient == .owntracks,
        payload: OwnTracksMessage.location(location).bytes)
    case let crossing as Crossing:
      guard var transition = transition(crossing) else { return nil }
      transition.rest = topics.members(of: topics.transition, over: recipient.transport)
      return OutboxItem(
        to: recipient, layer: change.layer, record: change.record, rank: .important,
        topic: topic(recipient, topics.transition),
        payload: OwnTracksMessage.transition(transition).bytes)
    default: return nil
    }
  }

  private func transition(_ crossing: Crossing) -> OwnTracksTransition? {
    guard
      var transition = OwnTracksTransition(
        crossing.change == .left ? .leave : .enter, crossing.placeName, at: crossing.time,
        crossing.position, accuracy: crossing.accuracy)
    else { return nil }
    transition.trigger = .location
    transition.regionID = crossing.placeUUID
    transition.trackerID = tracker
    return transition
  }

  private func topic(_ recipient: Recipient, _ topic: String) -> String {
    recipient == .owntracks ? topic : ""
  }
}

extension UplinkTopics {
  /// Over HTTP the topic is in OwnTracks' message: otherwise Dawarich does not read the speed as
  /// km/h.
  public func members(
    of topic: String, over transport: Recipient.Transport
  ) -> [VerbatimMember] {
    transport == .broker ? [] : [VerbatimMember("topic", VerbatimJSON(.string(topic)))]
  }
}
