import Core

/// How much of what others publish a visit takes. It is far more than any honest board is sent: a
/// new one gets all that its owner has written, and what lies around.
struct IncomingBudget: Sendable {
  /// Bytes without an acknowledgement between them: so much stands in its way.
  private static let obstacle = 65_536

  private var messages = TokenBucket(atOnce: 20_000, perSecond: 20)
  private var bytes = TokenBucket(atOnce: 16_777_216, perSecond: 16_384)
  private var sinceReceipt = 0
  /// Under which the last one came.
  private(set) var topic = ""

  /// Whether what comes in keeps the broker's acknowledgements from the board.
  var isObstacle: Bool { sinceReceipt >= Self.obstacle }

  /// - Returns: false: it is used up.
  mutating func take(_ message: BrokerEvent.Message, at now: BootInstant) -> Bool {
    let size = message.payload.count + message.topic.utf8.count + message.correlation.count
    topic = message.topic
    sinceReceipt += size
    let hasRoom = bytes.take(size, at: now)
    return messages.take(at: now) && hasRoom
  }

  /// The broker has acknowledged something.
  mutating func noteReceipt() { sinceReceipt = 0 }
}
