import Records

/// Turns changes of records into messages, one for each recipient that wants them.
public struct Dispatch: Sendable {
  private let encoders: [any RecordEncoder]
  private let board: UplinkBoard
  private let tracker: String

  public init(_ settings: UplinkSettings, _ board: UplinkBoard) {
    encoders = settings.encoders
    self.board = board
    tracker = settings.tracker
  }

  /// - Parameters:
  ///   - record: its present state; nil: it was deleted.
  ///   - state: the numbering and the like, which continues.
  public func items(
    for change: RecordChange, _ record: (any StoredRecord)?, _ state: inout OutboxState
  ) -> [OutboxItem] {
    let changed = ChangedRecord(change: change, record: record, board: board, tracker: tracker)
    return encoders.compactMap { $0.item(for: changed, &state) }
  }
}
