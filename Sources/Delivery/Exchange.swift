import Core

/// One visit to one of those that are talked to, as the activity log keeps it.
public struct Exchange: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// Messages went out, and were received or handed over.
    case sent
    /// It did not work.
    case failed
  }

  public var time: UTCInstant
  public var way: UplinkTransport
  public var kind: Kind
  public var messages: Int
  /// As the port counts them.
  public var sentBytes: Int
  public var receivedBytes: Int
  /// Whom they were for, or why it failed.
  public var note: String

  public init(
    _ kind: Kind, over way: UplinkTransport, at time: UTCInstant, messages: Int = 0,
    sentBytes: Int = 0,
    receivedBytes: Int = 0, note: String
  ) {
    self.time = time
    self.way = way
    self.kind = kind
    self.messages = messages
    self.sentBytes = sentBytes
    self.receivedBytes = receivedBytes
    self.note = note
  }
}
