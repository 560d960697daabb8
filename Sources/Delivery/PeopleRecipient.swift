extension Recipient {
  /// Other people's boards, through a broker: peer messages, groups and meetings.
  public static let people = Recipient("people", over: .broker, [.newestOnly, .waitsInStore])
}

/// Other people's boards. Their messages are no records' changes: they wait in the store until they
/// are sent.
struct PeopleRecipient: BrokerRecipient {
  static let recipient = Recipient.people
  static let doc =
    "Letters, groups and meetings of the section [people], with other people's boards. They are "
    + "not encrypted but for TLS: docs/manual/letters-groups-meetings.md says who can read what, "
    + "and what the broker has to allow."

  func item(for change: ChangedRecord, _ state: inout OutboxState) -> OutboxItem? { nil }
}
