import Core

/// One connection to one peer, as kept in the activity log.
public struct Exchange: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// Messages were sent, and were received or handed over.
    case sent
    /// The connection failed.
    case failed
  }

  public var time: UTCInstant
  public var transport: UplinkTransport
  public var kind: Kind
  public var messages: Int
  /// As counted by the port.
  public var sentBytes: Int
  public var receivedBytes: Int
  /// The recipients, or why it failed.
  public var note: String

  public init(
    _ kind: Kind, over way: UplinkTransport, at time: UTCInstant, messages: Int = 0,
    sentBytes: Int = 0,
    receivedBytes: Int = 0, note: String
  ) {
    self.time = time
    self.transport = way
    self.kind = kind
    self.messages = messages
    self.sentBytes = sentBytes
    self.receivedBytes = receivedBytes
    self.note = note
  }
}
