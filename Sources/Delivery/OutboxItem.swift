import Core

/// One message to one recipient, as it is sent, however often that takes: the receiver can tell by
/// its bytes that it has it already.
public struct OutboxItem: Hashable, Sendable {
  /// What goes first when there is no room for all: the last of these.
  public enum Rank: Int64, Sendable {
    /// Visits and alerts.
    case important = 0
    case usual = 1
  }

  /// Its number in the outbox, rising; 0: it has none yet.
  public var number: Int64
  public var recipient: Recipient
  /// Of which record it tells: the table, and the id there.
  public var layer: String
  public var record: Int64
  public var rank: Rank
  /// For a collector; others have no numbers.
  public var sequence: StreamNumber?
  /// Where it belongs; empty: the recipient has one address for all.
  public var topic: String
  public var isRetained: Bool
  /// Whether it makes those before it with the same topic worthless.
  public var isNewestOnly: Bool
  public var payload: [UInt8]
  /// After that nobody needs it; nil: it stays. Of one that waits in no outbox.
  public var life: Seconds?
  /// How often the recipient has failed at it, and taken others.
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
