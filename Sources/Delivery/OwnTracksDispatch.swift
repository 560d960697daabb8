import Formats
import Messages
import Notation
import Records

/// What OwnTracks' apps and servers get: where the board was, and which places it came to or left.
struct OwnTracksDispatch: Sendable {
  let topics: UplinkTopics
  /// One or two characters that stand for the board on a map.
  let tracker: String

  func item(
    to recipient: Recipient, for change: RecordChange, _ record: any StoredRecord
  ) -> OutboxItem? {
    switch record {
    case let point as TrackPoint:
      var location = OwnTracksLocation(point, tracker: tracker)
      location.rest = rest(recipient, topics.location)
      // Retained, so that who comes later sees where the board is.
      return OutboxItem(
        to: recipient, layer: change.layer, record: change.record,
        topic: topic(recipient, topics.location), isRetained: recipient == .owntracks,
        payload: OwnTracksMessage.location(location).bytes)
    case let crossing as Crossing:
      var transition = transition(crossing)
      transition.rest = rest(recipient, topics.transition)
      let payload = OwnTracksMessage.transition(transition).bytes
      // Without a position on earth there are none.
      guard !payload.isEmpty else { return nil }
      return OutboxItem(
        to: recipient, layer: change.layer, record: change.record, rank: .important,
        topic: topic(recipient, topics.transition), payload: payload)
    default: return nil
    }
  }

  private func transition(_ crossing: Crossing) -> OwnTracksTransition {
    var transition = OwnTracksTransition(
      crossing.change == .left ? .leave : .enter, crossing.placeName, at: crossing.time)
    transition.position = crossing.position
    transition.accuracy = crossing.accuracy
    transition.trigger = .location
    transition.regionID = crossing.placeUUID
    transition.trackerID = tracker
    return transition
  }

  private func topic(_ recipient: Recipient, _ topic: String) -> String {
    recipient == .owntracks ? topic : ""
  }

  /// Over HTTP the topic is in the message: Dawarich takes the speed for km/h only then.
  private func rest(_ recipient: Recipient, _ topic: String) -> [VerbatimMember] {
    recipient == .owntracks ? [] : [VerbatimMember("topic", VerbatimJSON(.string(topic)))]
  }
}
