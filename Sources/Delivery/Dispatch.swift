import Formats
import Messages
import Quantities
import Records

/// Turns changes of records into messages, one for each recipient that wants them.
public struct Dispatch: Sendable {
  private let recipients: Set<Recipient>
  private let topics: UplinkTopics
  private let tracker: String
  /// How the collector's numbers go on.
  public private(set) var stream: RecordStream

  /// - Parameter tracker: two characters that stand for the board on a map.
  public init(
    to recipients: Set<Recipient>, topics: UplinkTopics, tracker: String, stream: RecordStream
  ) {
    self.recipients = recipients
    self.topics = topics
    self.tracker = tracker
    self.stream = stream
  }

  /// - Parameter record: as it is now; nil: it is gone.
  public mutating func items(
    for change: RecordChange, _ record: (any StoredRecord)?
  ) -> [OutboxItem] {
    var items: [OutboxItem] = []
    if recipients.contains(.owntracks), let record, let item = ownTracks(change, record) {
      items.append(item)
    }
    if recipients.contains(.collector), let item = collected(change, record) { items.append(item) }
    return items
  }

  // MARK: OwnTracks

  private func ownTracks(_ change: RecordChange, _ record: any StoredRecord) -> OutboxItem? {
    switch record {
    case let point as TrackPoint:
      let message = OwnTracksMessage.location(OwnTracksLocation(point, tracker: tracker))
      // Retained, so that who comes later sees where the board is.
      return OutboxItem(
        to: .owntracks, layer: change.layer, record: change.record, topic: topics.location,
        isRetained: true, payload: message.bytes)
    case let crossing as Crossing:
      return OutboxItem(
        to: .owntracks, layer: change.layer, record: change.record, rank: .important,
        topic: topics.transition, payload: transition(crossing).bytes)
    default: return nil
    }
  }

  private func transition(_ crossing: Crossing) -> OwnTracksMessage {
    var transition = OwnTracksTransition(
      crossing.change == .left ? .leave : .enter, crossing.placeName, at: crossing.time)
    transition.position = crossing.position
    transition.accuracy = crossing.accuracy
    transition.trigger = .location
    transition.regionID = crossing.placeUUID
    transition.trackerID = tracker
    return .transition(transition)
  }

  // MARK: The collector

  private mutating func collected(
    _ change: RecordChange, _ record: (any StoredRecord)?
  ) -> OutboxItem? {
    let content: CollectedRecord
    // What is gone without being wrong was too old to be kept here, and nobody has it.
    guard change.isWithdrawal || record != nil else { return nil }
    let number = stream.next()
    if let record, !change.isWithdrawal {
      content = CollectedRecord(
        sequence: number.number, layer: change.layer, record: change.record, record)
    } else {
      content = CollectedRecord(
        sequence: number.number, layer: change.layer, record: change.record, .withdrawn)
    }
    return OutboxItem(
      to: .collector, layer: change.layer, record: change.record,
      rank: Self.important.contains(change.layer) ? .important : .usual, sequence: number,
      topic: topics.records, payload: content.bytes)
  }

  private static let important: Set<String> = [
    Visit.layout.name, Crossing.layout.name, Notice.layout.name,
  ]
}
