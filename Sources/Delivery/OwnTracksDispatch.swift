import Formats
import Core
import Records

extension Recipient {
  /// OwnTracks' apps, its Recorder and other readers of its messages, through a broker.
  public static let owntracks = Recipient("owntracks", over: .broker, .ownTracksMessages)
}

/// OwnTracks' apps and servers behind a broker.
struct OwnTracksRecipient: BrokerRecipient {
  static let recipient = Recipient.owntracks
  static let doc =
    "Send locations and crossings of places in the format of OwnTracks' apps and servers."
  static let isUsual = true

  func item(for change: ChangedRecord, _ state: inout OutboxState) -> OutboxItem? {
    OwnTracksDispatch.item(to: Self.recipient, for: change)
  }
}

/// The messages for OwnTracks' apps and servers: positions, and arrivals at and departures from
/// places.
enum OwnTracksDispatch {
  static func item(to recipient: Recipient, for change: ChangedRecord) -> OutboxItem? {
    let (topics, isBroker) = (change.topics, recipient.transport == .broker)
    switch change.record {
    case let point as TrackPoint:
      var location = OwnTracksLocation(point, tracker: change.tracker)
      location.rest = topics.members(of: topics.location, over: recipient.transport)
      // Retained, so that a new subscriber receives the last position.
      return change.item(
        to: recipient, topic: isBroker ? topics.location : "", isRetained: isBroker,
        payload: OwnTracksMessage.location(location).bytes)
    case let crossing as Crossing:
      guard var transition = transition(crossing) else { return nil }
      transition.trackerID = change.tracker
      transition.rest = topics.members(of: topics.transition, over: recipient.transport)
      return change.item(
        to: recipient, rank: .important, topic: isBroker ? topics.transition : "",
        payload: OwnTracksMessage.transition(transition).bytes)
    default: return nil
    }
  }

  private static func transition(_ crossing: Crossing) -> OwnTracksTransition? {
    guard
      var transition = OwnTracksTransition(
        crossing.change == .left ? .leave : .enter, crossing.placeName, at: crossing.time,
        crossing.position, accuracy: crossing.accuracy)
    else { return nil }
    transition.trigger = .location
    transition.regionID = crossing.placeUUID
    return transition
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
