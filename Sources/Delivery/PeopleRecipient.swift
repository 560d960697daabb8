extension Recipient {
  /// Other people's boards, through a broker: peer messages, groups and meetings.
  public static let people = Recipient("people", over: .broker, [.newestOnly, .waitsInStore])
}

/// Other people's boards. Their messages are no records' changes: they wait in the store until they
/// are sent.
struct PeopleRecipient: BrokerRecipient {
  static let recipient = Recipient.people
  static let doc =
    "Exchange letters, groups and meetings of the section [people] with the boards of other "
    + "people. Only TLS encrypts them: docs/manual/letters-groups-meetings.md describes "
    + "who can read them, and which permissions the broker needs."

  func item(for change: ChangedRecord, _ state: inout OutboxState) -> OutboxItem? { nil }
}
