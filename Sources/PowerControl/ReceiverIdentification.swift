import Quantities
import ReceiverProtocols

/// Finds out which receiver it is: its sleep commands and ways of saving its navigation database
/// depend on that. One of unknown family is asked, while it is on anyway.
struct ReceiverIdentification: Sendable {
  private struct Questions: Sendable {
    var probe: ReceiverProbe
    var due: BootInstant
  }

  /// A session may end before all questions are asked; after some it is left alone.
  private static let maxProbes = 3

  private let configured: ReceiverFamily?
  private let mayAsk: Bool
  private(set) var identity = ReceiverIdentity()
  /// While it is being asked.
  private var questions: Questions?
  private var probes = 0

  init(_ wiring: PowerWiring) {
    configured = wiring.family
    mayAsk = wiring.mayAsk
  }

  /// When `proceed` has something to do.
  var due: BootInstant? { questions?.due }

  /// Whether its family is known for certain.
  var isCertain: Bool { configured != nil || identity.isCertain }

  var commands: ReceiverCommands {
    ReceiverCommands(
      family: configured ?? identity.family ?? .other, version: identity.protocolVersion)
  }

  /// Takes in an answer of any kind. Returns the identity when the receiver has just said which it
  /// is: the language is often supposed before that.
  mutating func learn(_ answer: ReceiverAnswer) -> ReceiverIdentity? {
    let before = identity
    identity.learn(answer)
    questions?.probe.hear([answer], validFrames: 1, protocols: [])
    let isNews = identity.family != before.family || !before.isCertain
    return identity.isCertain && isNews ? identity : nil
  }

  /// Begins to ask where that is of use. Returns what to send.
  mutating func begin(at now: BootInstant) -> [[UInt8]] {
    guard mayAsk, !isCertain, probes < Self.maxProbes else { return [] }
    probes += 1
    questions = Questions(
      probe: ReceiverProbe(at: now, listening: 0, isSpeedCertain: true), due: now)
    return proceed(at: now)
  }

  /// Goes on with the questions, as far as it is time. Returns what to send.
  mutating func proceed(at now: BootInstant) -> [[UInt8]] {
    var orders: [[UInt8]] = []
    // Every step sends one question at most, and there are few of them.
    while true {
      switch questions?.probe.step(at: now) {
      case .send(let query): orders.append(query.bytes)
      case .listen(let until):
        questions?.due = until
        return orders
      case .finished, nil:
        questions = nil
        return orders
      }
    }
  }

  /// The receiver cannot be asked any more.
  mutating func stop() { questions = nil }
}
