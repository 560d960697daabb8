/// Answers to remote requests that are to be published: they are not in the outbox.
struct AnswerQueue: Sendable {
  /// Limit of waiting answers: beyond it requests are not answered, and their senders have to wait
  /// for earlier ones.
  private static let most = 300

  private var waiting: [BrokerMessage] = []
  /// Their numbers count down from -1.
  private var last: Int64 = 0
  private var inFlight: [Int64: BrokerMessage] = [:]

  var count: Int { inFlight.count }
  var hasNoneInFlight: Bool { inFlight.isEmpty }
  var hasSentAll: Bool { waiting.isEmpty && inFlight.isEmpty }

  /// - Returns: whether there is room for it.
  mutating func add(_ answer: BrokerMessage) -> Bool {
    guard waiting.count < Self.most else { return false }
    waiting.append(answer)
    return true
  }

  /// The next one to publish; nil: there is none, or as many are in flight.
  mutating func next(besides most: Int) -> (message: BrokerMessage, number: Int64)? {
    guard inFlight.count < most, !waiting.isEmpty else { return nil }
    last -= 1
    let message = waiting.removeFirst()
    inFlight[last] = message
    return (message, last)
  }

  /// - Returns: the answer of that number; nil: there is none.
  mutating func acknowledge(_ number: Int64) -> BrokerMessage? {
    inFlight.removeValue(forKey: number)
  }

  mutating func forget() {
    waiting = []
    inFlight = [:]
  }
}
