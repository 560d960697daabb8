import Core

/// The purpose of a connection to a broker.
public struct BrokerPlan: Hashable, Sendable {
  /// Tried in turn.
  var brokers: [BrokerAddress]
  /// Recipients behind the broker, in the order in which they are served.
  public var recipients: [Recipient]
  /// Topics on which requests arrive.
  public var requestTopics: [String]
  /// The topic of a collector's receipts; nil: there is no collector.
  public var receiptTopic: String?
  /// Connections in a row in which no message for a recipient was accepted.
  public var failures: [Recipient: Int] = [:]
  /// Whether to stay connected when everything is sent.
  public var staysConnected: Bool
  /// Recipients for which it is reported when nothing more is sent for the time being.
  var followed: Set<Recipient>

  public init(
    brokers: [BrokerAddress], recipients: [Recipient], requestTopics: [String] = [],
    receiptTopic: String? = nil, stays: Bool = false, followed: Set<Recipient> = []
  ) {
    self.brokers = brokers
    self.recipients = recipients
    self.requestTopics = requestTopics
    self.receiptTopic = receiptTopic
    self.staysConnected = stays
    self.followed = followed
  }
}
