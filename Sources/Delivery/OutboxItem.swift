import Core

/// One message to one recipient. Its bytes are the same at every attempt: the receiver can
/// recognize duplicates by them.
public struct OutboxItem: Hashable, Sendable {
  /// The priority: when there is not enough room, the last of these are dropped first.
  public enum Rank: Int64, Sendable {
    /// Visits and alerts.
    case important = 0
    case usual = 1
  }

  /// Its number in the outbox, rising; 0: none yet.
  public var number: Int64
  public var recipient: Recipient
  /// The record that it is about: the table, and the id there.
  public var layer: String
  public var record: Int64
  public var rank: Rank
  /// For a collector; other recipients need no numbers.
  public var sequence: StreamNumber?
  /// Its topic; empty: the recipient has one address for all.
  public var topic: String
  public var isRetained: Bool
  /// Whether it replaces earlier ones with the same topic.
  public var isNewestOnly: Bool
  public var payload: [UInt8]
  /// Expiry; nil: none. For messages that are not in the outbox.
  public var life: Seconds?
  /// How often the recipient has failed at it, and accepted others.
  public var failures: Int

  public init(
    number: Int64 = 0, to recipient: Recipient, layer: String, record: Int64,
    rank: Rank = .usual, sequence: StreamNumber? = nil, topic: String = "",
    isRetained: Bool = false, isNewestOnly: Bool = false, payload: [UInt8], failures: Int = 0
  ) {
    self.number = number
    self.recipient = recipient
    self.layer = layer
    self.record = record
    self.rank = rank
    self.sequence = sequence
    self.topic = topic
    self.isRetained = isRetained
    self.isNewestOnly = isNewestOnly
    self.payload = payload
    self.failures = failures
  }
}
