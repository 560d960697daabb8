import Core
import Records

/// What has to be remembered between two runs of the uplink.
public struct OutboxState: Hashable, Sendable {
  /// Up to where the store's changes are in the outbox; nil: nothing was read yet.
  public var position: ChangeLogPosition?
  /// How the collector's numbers go on.
  public var stream: RecordStream
  /// The time of the newest record that was queued.
  public var newest: UTCInstant?
  /// When the newest position was taken that Home Assistant was given.
  public var shown: UTCInstant?
  /// When the newest location was taken that was published for whoever comes later, beside what
  /// waits.
  public var retained: UTCInstant?
  /// By which Home Assistant was told of the board.
  public var announcement: String?

  public init(
    position: ChangeLogPosition? = nil, stream: RecordStream, newest: UTCInstant? = nil,
    shown: UTCInstant? = nil, retained: UTCInstant? = nil, announcement: String? = nil
  ) {
    self.position = position
    self.stream = stream
    self.newest = newest
    self.shown = shown
    self.retained = retained
    self.announcement = announcement
  }
}

/// How it stands with one recipient.
public struct OutboxSummary: Hashable, Sendable {
  public var recipient: Recipient
  /// Neither received nor refused, those that were handed over included.
  public var waiting: Int
  /// When the oldest of them was queued.
  public var oldest: UTCInstant?
  /// Of those that are still kept.
  public var refused: Int
  /// Why the last one was refused.
  public var lastRefusal: String?

  public init(
    _ recipient: Recipient, waiting: Int = 0, oldest: UTCInstant? = nil, refused: Int = 0,
    lastRefusal: String? = nil
  ) {
    self.recipient = recipient
    self.waiting = waiting
    self.oldest = oldest
    self.refused = refused
    self.lastRefusal = lastRefusal
  }
}
