import Core
import Records

/// The uplink's state between two runs.
public struct OutboxState: Hashable, Sendable {
  /// The position up to which the store's changes are in the outbox; nil: nothing was read yet.
  public var position: ChangeLogPosition?
  /// The collector's numbering.
  public var stream: RecordStream
  /// The time of the newest record that was queued.
  public var newest: UTCInstant?
  /// The time of the newest position sent to Home Assistant.
  public var shown: UTCInstant?
  /// The time of the newest location that was published as retained, in addition to the queue.
  public var retained: UTCInstant?
  /// The announcement sent to Home Assistant.
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

/// The status of one recipient.
public struct OutboxSummary: Hashable, Sendable {
  public var recipient: Recipient
  /// Neither received nor refused, including those that were handed over.
  public var waiting: Int
  /// When the oldest of them was queued.
  public var oldest: UTCInstant?
  /// Those that are still kept.
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
