/// A recipient behind an MQTT broker. It is one file, and its line in `BrokerRecipients.all`.
protocol BrokerRecipient: RecordEncoder {
  /// What it gets, in a sentence for the manual.
  static var doc: String { get }
  /// Whether it gets messages unless the settings exclude it.
  static var isUsual: Bool { get }

  init()
}

extension BrokerRecipient {
  static var isUsual: Bool { false }
}

enum BrokerRecipients {
  /// In the order of the manual, in which they are served.
  static let all: [any BrokerRecipient.Type] = [
    OwnTracksRecipient.self,
    HomeAssistantRecipient.self,
    CollectorRecipient.self,
    PeopleRecipient.self,
  ]
}
