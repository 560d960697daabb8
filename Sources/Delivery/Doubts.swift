/// What a broker has not taken of one recipient's since it took anything: only when it takes
/// another message does the reason lie in these, and not in the broker. Until then they wait.
struct Doubts: Sendable {
  private struct Doubt: Sendable {
    let items: [(number: Int64, failures: Int)]
    let refusal: Verdict.Refusal
  }

  /// That were sent in vain, in a row: with so many it is the broker that takes none.
  static let mostSent = 20
  /// Those that the broker has said before that it does not take cost nothing but time.
  static let mostUnsent = 2000
  /// So often at a message whose reason may pass.
  static let mostFailures = 3

  private let mostSent: Int
  private var doubts: [Doubt] = []
  private var sent = 0

  /// - Parameter failures: of earlier visits, in a row: more is tried each time, as what all of
  ///   them tried may be what stands in the way of what would be taken.
  init(failures: Int = 0) { mostSent = Self.mostSent << min(max(failures, 0), 5) }

  /// Why the last one was not taken.
  var why: String? { doubts.last?.refusal.why }

  /// - Parameter wasSent: whether it went to the broker.
  /// - Returns: whether another may be tried.
  mutating func add(_ outgoing: OutgoingMessage, _ refusal: Verdict.Refusal, wasSent: Bool) -> Bool
  {
    doubts.append(Doubt(items: outgoing.items.map { ($0.number, $0.failures) }, refusal: refusal))
    if wasSent { sent += 1 }
    return sent < mostSent && doubts.count < Self.mostUnsent
  }

  /// The broker has taken another: what becomes of those before it.
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
