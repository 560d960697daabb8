import Quantities

/// Finds out who is at the other end of a serial line, by listening and by asking.
///
/// It touches nothing itself: whoever holds the line asks for the next `step`, does it, and hands
/// in what was heard. First it listens, because a question at a wrong speed is noise; then it asks
/// each question of `ReceiverQuery`, twice at most, until the receiver is known.
public struct ReceiverProbe: Sendable {
  /// What is to be done now.
  public enum Step: Equatable, Sendable {
    /// Send the question, then ask for the next step.
    case send(ReceiverQuery)
    /// Hand in what is heard; ask again after each piece, and at this moment at the latest.
    case listen(until: BootInstant)
    case finished
  }

  /// The longest that a receiver takes to answer: it may be in the middle of a burst of a second.
  public static let answerTimeout: Seconds = 1.2
  static let maxAttempts = 2
  /// Valid frames that show that the line is understood.
  static let framesNeeded = 2

  public private(set) var identity = ReceiverIdentity()
  /// The languages that were heard.
  public private(set) var protocols: ReceiverProtocolSet = []
  /// What was asked, in order.
  public private(set) var asked: [ReceiverQuery] = []
  /// What was answered, be it with a refusal.
  public private(set) var answered: Set<ReceiverQuery> = []

  private var validFrames = 0
  private var bytes = 0
  private var phase: Phase
  private let isSpeedCertain: Bool

  private enum Phase: Equatable {
    case listening(until: BootInstant)
    case asking(ReceiverQuery, attempt: Int, until: BootInstant)
    case finished
  }

  /// - Parameters:
  ///   - listening: how long to wait for a first sign of life.
  ///   - isSpeedCertain: whether a line that stays silent may be spoken to.
  public init(at now: BootInstant, listening: Seconds, isSpeedCertain: Bool) {
    phase = .listening(until: now + listening)
    self.isSpeedCertain = isSpeedCertain
  }

  /// Whether anything was understood.
  public var isHeard: Bool { validFrames > 0 }

  /// Takes what was heard since the last call.
  ///
  /// - Parameters:
  ///   - bytes: how many came, sense or not; 0 where the speed is known to be right.
  ///   - validFrames: how many frames with a good checksum, of any protocol.
  ///   - protocols: of those.
  public mutating func hear(
    _ answers: [ReceiverAnswer], bytes taken: Int = 0, validFrames count: Int,
    protocols heard: ReceiverProtocolSet
  ) {
    bytes += max(0, taken)
    validFrames += max(0, count)
    protocols.formUnion(heard)
    for answer in answers {
      identity.learn(answer)
      answered.formUnion(ReceiverQuery.allCases.filter { $0.isAnswered(by: answer) })
    }
  }

  public mutating func step(at now: BootInstant) -> Step {
    switch phase {
    case .finished: return .finished
    case .listening(let end):
      if validFrames >= Self.framesNeeded { return ask(at: now) }
      guard now >= end else { return .listen(until: end) }
      // Noise, or too little to be sure of the speed: a question would be noise to the receiver.
      guard isSpeedCertain, bytes == 0 || validFrames > 0 else { return finish() }
      return ask(at: now)
    case .asking(let query, let attempt, let end):
      if answered.contains(query) { return ask(at: now) }
      guard now >= end else { return .listen(until: end) }
      guard attempt < Self.maxAttempts else { return ask(at: now) }
      return ask(query, attempt: attempt + 1, at: now)
    }
  }

  /// The next question that is worth asking: first those of the language that was heard, and, until
  /// the receiver has said which it is, all others.
  private mutating func ask(at now: BootInstant) -> Step {
    let likely = identity.family.map(ReceiverQuery.of) ?? []
    let candidates = identity.isCertain ? likely : likely + ReceiverQuery.allCases
    guard let next = candidates.first(where: { !asked.contains($0) && !answered.contains($0) })
    else { return finish() }
    asked.append(next)
    return ask(next, attempt: 1, at: now)
  }

  private mutating func ask(
    _ query: ReceiverQuery, attempt: Int, at now: BootInstant
  ) -> Step {
    phase = .asking(query, attempt: attempt, until: now + Self.answerTimeout)
    return .send(query)
  }

  private mutating func finish() -> Step {
    phase = .finished
    return .finished
  }
}
