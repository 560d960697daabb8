import Core
import Records

/// Turns changes of records into messages, one for each recipient that wants them.
public struct Dispatch: Sendable {
  private let recipients: [Recipient]
  private let topics: UplinkTopics
  private let ownTracks: OwnTracksDispatch
  private let positions: PositionDispatch
  private var homeAssistant: HomeAssistantDispatch?
  /// The collector's numbering.
  public private(set) var stream: RecordStream
  /// The time of the newest position sent to Home Assistant.
  public var shown: UTCInstant? { homeAssistant?.shown }

  public init(_ settings: UplinkSettings, _ board: UplinkBoard, _ state: OutboxState) {
    let topics = board.topics
    recipients = settings.recipients
    self.topics = topics
    ownTracks = OwnTracksDispatch(topics: topics, tracker: settings.tracker)
    positions = PositionDispatch(
      osmAndDevice: settings.osmAndDevice ?? topics.device, overlandDevice: topics.device)
    homeAssistant =
      recipients.contains(.homeAssistant) ? HomeAssistantDispatch(board, shown: state.shown) : nil
    stream = state.stream
  }

  /// - Parameter record: its present state; nil: it was deleted.
  public mutating func items(
    for change: RecordChange, _ record: (any StoredRecord)?
  ) -> [OutboxItem] {
    var items: [OutboxItem] = []
    for recipient in recipients {
      if let item = item(to: recipient, for: change, record) { items.append(item) }
    }
    return items
  }

  private mutating func item(
    to recipient: Recipient, for change: RecordChange, _ record: (any StoredRecord)?
  ) -> OutboxItem? {
    if recipient == .collector { return collected(change, record) }
    guard let record else { return nil }
    switch recipient {
    case .owntracks, .owntracksHTTP: return ownTracks.item(to: recipient, for: change, record)
    case .osmand, .overland: return positions.item(to: recipient, for: change, record)
    case .homeAssistant: return (record as? TrackPoint).flatMap { homeAssistant?.position($0) }
    case .collector, .people: return nil
    }
  }

  // MARK: The collector

  private mutating func collected(
    _ change: RecordChange, _ record: (any StoredRecord)?
  ) -> OutboxItem? {
    let content: CollectedRecord
    // Records that were deleted without being wrong were too old to be kept here, and no recipient
    // has them.
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
