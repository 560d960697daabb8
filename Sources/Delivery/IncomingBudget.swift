import Core

/// Limits of incoming messages for a connection. They are far above legitimate use: a new board
/// receives all that its owner has written, and everything retained.
struct IncomingBudget: Sendable {
  /// Bytes without an acknowledgement between them that count as an obstacle to acknowledgements.
  private static let obstacle = 65_536

  private var messages = TokenBucket(atOnce: 20_000, perSecond: 20)
  private var bytes = TokenBucket(atOnce: 16_777_216, perSecond: 16_384)
  private var sinceReceipt = 0
  /// Topic of the last message.
  private(set) var topic = ""

  /// Whether incoming messages delay the broker's acknowledgements.
  var isObstacle: Bool { sinceReceipt >= Self.obstacle }

  /// - Returns: false: it is exhausted.
  mutating func take(_ message: BrokerEvent.Message, at now: BootInstant) -> Bool {
    let size = message.payload.count + message.topic.utf8.count + message.correlation.count
    topic = message.topic
    sinceReceipt += size
    let hasRoom = bytes.take(size, at: now)
    return messages.take(at: now) && hasRoom
  }

  /// The broker has acknowledged a message.
  mutating func noteReceipt() { sinceReceipt = 0 }
}
