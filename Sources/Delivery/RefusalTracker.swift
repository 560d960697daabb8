/// Messages that a broker has refused for one recipient since it last accepted one: only when it
/// accepts another does the reason lie in these, and not in the broker. Until then they wait.
struct RefusalTracker: Sendable {
  private struct Doubt: Sendable {
    let items: [(number: Int64, failures: Int)]
    let refusal: AcknowledgementMeaning.Refusal
  }

  /// Limit of refused messages in a row: beyond it the broker accepts none.
  static let mostSent = 20
  /// Limit of messages that are known to be refused by the broker and were not sent; they cost only
  /// time.
  static let mostUnsent = 2000
  /// Limit of attempts for a message whose refusal may be temporary.
  static let mostFailures = 3

  private let mostSent: Int
  private var doubts: [Doubt] = []
  private var sent = 0

  /// - Parameter failures: of earlier connections, in a row: each time more messages are tried,
  ///   because those tried so far may be the ones that are refused.
  init(failures: Int = 0) { mostSent = Self.mostSent << min(max(failures, 0), 5) }

  /// Why the last one was refused.
  var why: String? { doubts.last?.refusal.why }

  /// - Parameter wasSent: whether it was sent to the broker.
  /// - Returns: whether another may be tried.
  mutating func add(
    _ outgoing: OutgoingMessage, _ refusal: AcknowledgementMeaning.Refusal, wasSent: Bool
  ) -> Bool {
    doubts.append(Doubt(items: outgoing.items.map { ($0.number, $0.failures) }, refusal: refusal))
    if wasSent { sent += 1 }
    return sent < mostSent && doubts.count < Self.mostUnsent
  }

  /// The broker has accepted another: the results for those before it.
  mutating func resolve() -> [DeliveryResult] {
    defer { clear() }
    return doubts.flatMap { doubt in
      doubt.items.map { number, failures in
        let isGivenUp = doubt.refusal.isLasting || failures + 1 >= Self.mostFailures
        return DeliveryResult(number, isGivenUp ? .refused(doubt.refusal.why) : .failed)
      }
    }
  }

  mutating func clear() {
    doubts = []
    sent = 0
  }
}
