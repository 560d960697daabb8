import Records

/// Turns changes of records into messages for one recipient.
protocol RecordEncoder: Sendable {
  static var recipient: Recipient { get }

  /// - Parameter state: what is kept for the next message, such as a number.
  /// - Returns: nil: the recipient does not get the record.
  func item(for change: ChangedRecord, _ state: inout OutboxState) -> OutboxItem?
}

/// A change of a record, and the board, as far as messages name it.
struct ChangedRecord: Sendable {
  let change: RecordChange
  /// Its present state; nil: it was deleted.
  let record: (any StoredRecord)?
  let board: UplinkBoard
  /// One or two characters that represent the board on OwnTracks' maps.
  let tracker: String

  var topics: UplinkTopics { board.topics }
  /// Nil: it is no point of the track.
  var point: TrackPoint? { record as? TrackPoint }

  func item(
    to recipient: Recipient, rank: OutboxItem.Rank = .usual, sequence: StreamNumber? = nil,
    topic: String = "", isRetained: Bool = false, payload: [UInt8]
  ) -> OutboxItem {
    OutboxItem(
      to: recipient, layer: change.layer, record: change.record, rank: rank, sequence: sequence,
      topic: topic, isRetained: isRetained, payload: payload)
  }
}
