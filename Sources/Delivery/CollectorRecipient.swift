import Records

extension Recipient {
  /// `godwit collect`, through a broker: everything, with end-to-end acknowledgement.
  public static let collector = Recipient("collector", over: .broker, .acknowledges)
}

/// The numbered records for `godwit collect`.
struct CollectorRecipient: BrokerRecipient {
  static let recipient = Recipient.collector
  static let doc = "Send all records to godwit collect, which acknowledges them."

  func item(for changed: ChangedRecord, _ state: inout OutboxState) -> OutboxItem? {
    // Records that were deleted without being wrong were too old to be kept here, and no recipient
    // has them.
    let (change, record) = (changed.change, changed.record)
    guard change.isWithdrawal || record != nil else { return nil }
    let number = state.stream.next()
    let content: CollectedRecord
    if let record, !change.isWithdrawal {
      content = CollectedRecord(
        sequence: number.number, layer: change.layer, record: change.record, record)
    } else {
      content = CollectedRecord(
        sequence: number.number, layer: change.layer, record: change.record, .withdrawn)
    }
    return changed.item(
      to: Self.recipient, rank: Self.important.contains(change.layer) ? .important : .usual,
      sequence: number, topic: changed.topics.records, payload: content.bytes)
  }

  private static let important: Set<String> = [
    Visit.layout.name, Crossing.layout.name, Notice.layout.name,
  ]
}
