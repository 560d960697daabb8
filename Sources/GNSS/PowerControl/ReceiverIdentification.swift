import Core

/// Identifies the receiver: its sleep commands and the storage of its navigation database depend on
/// that. A receiver of unknown family is queried while it is on for another purpose.
struct ReceiverIdentification: Sendable {
  private struct Queries: Sendable {
    var probe: ReceiverProbe
    var due: BootInstant
  }

  /// A session may end before all queries are sent; the number of attempts is limited.
  private static let maxProbes = 3

  private let configured: ReceiverFamily?
  private let mayQuery: Bool
  private(set) var identity = ReceiverIdentity()
  /// Non-nil while queries are being sent.
  private var queries: Queries?
  private var probes = 0

  init(_ wiring: PowerWiring) {
    configured = wiring.family
    mayQuery = wiring.mayQuery
  }

  /// When `proceed` has an effect.
  var due: BootInstant? { queries?.due }

  /// Whether its family is certain.
  var isCertain: Bool { configured != nil || identity.isCertain }

  var commands: ReceiverCommands {
    ReceiverCommands(
      family: configured ?? identity.family ?? .other, version: identity.protocolVersion)
  }

  /// Processes an answer. Returns the identity if this answer established it; before that, the
  /// protocol is often only assumed.
  mutating func learn(_ answer: ReceiverAnswer) -> ReceiverIdentity? {
    let before = identity
    identity.learn(answer)
    queries?.probe.receive([answer], validFrames: 1, protocols: [])
    let isNews = identity.family != before.family || !before.isCertain
    return identity.isCertain && isNews ? identity : nil
  }

  /// Starts the queries if they are useful. Returns the bytes to send.
  mutating func begin(at now: BootInstant) -> [[UInt8]] {
    guard mayQuery, !isCertain, probes < Self.maxProbes else { return [] }
    probes += 1
    queries = Queries(
      probe: ReceiverProbe(at: now, listening: 0, isSpeedCertain: true), due: now)
    return proceed(at: now)
  }

  /// Continues with the queries that are due, if the receiver can still be queried. Returns the
  /// bytes to send.
  mutating func proceed(at now: BootInstant, isOn: Bool = true) -> [[UInt8]] {
    if !isOn { stop() }
    var orders: [[UInt8]] = []
    // Every step sends at most one query, and there are few of them.
    while true {
      switch queries?.probe.step(at: now) {
      case .send(let query): orders.append(query.bytes)
      case .listen(let until):
        queries?.due = until
        return orders
      case .finished, nil:
        queries = nil
        return orders
      }
    }
  }

  /// The receiver can no longer be queried.
  mutating func stop() { queries = nil }
}
