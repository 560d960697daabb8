import Core

/// What a visit to a broker is for.
public struct BrokerPlan: Hashable, Sendable {
  /// Tried in turn.
  public var brokers: [BrokerAddress]
  /// Those that are reached through a broker, in the order in which they are served.
  public var recipients: [Recipient]
  /// Where requests come in.
  public var requestTopics: [String]
  /// Where a collector says what it has; nil: there is none.
  public var receiptTopic: String?
  /// Visits in a row at which a recipient got nothing, because nothing was taken.
  public var failures: [Recipient: Int] = [:]
  /// Whether to stay when everything is said.
  public var stays: Bool
  /// Of whom it is said when they get nothing more for the time being.
  public var followed: Set<Recipient>

  public init(
    brokers: [BrokerAddress], recipients: [Recipient], requestTopics: [String] = [],
    receiptTopic: String? = nil, stays: Bool = false, followed: Set<Recipient> = []
  ) {
    self.brokers = brokers
    self.recipients = recipients
    self.requestTopics = requestTopics
    self.receiptTopic = receiptTopic
    self.stays = stays
    self.followed = followed
  }
}
