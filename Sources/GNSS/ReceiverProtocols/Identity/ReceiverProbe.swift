import Core

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

/// Questions to a receiver about itself, in the order in which an unknown one is asked.
///
/// None of them changes anything in any receiver. Each is in a form of its own (a UBX frame,
/// sentences with the maker's address) that receivers of the other makes discard or refuse: u-blox
/// answers PMTK605 with a TXT "NMEA unknown msg", MTK and CASIC skip the eight bytes of a UBX frame
/// until the next `$`.
public enum ReceiverQuery: String, CaseIterable, Sendable {
  case ubxVersion = "UBX-MON-VER"
  case mtkRelease = "PMTK605"
  case pairVersion = "PAIR020"
  case casFirmware = "PCAS06,0"
  case casHardware = "PCAS06,1"

  public var bytes: [UInt8] {
    switch self {
    case .ubxVersion: UBXCommand.pollVersion
    case .mtkRelease: MTKCommand.queryRelease
    case .pairVersion: PAIRCommand.queryVersion
    case .casFirmware: CASCommand.query(.firmware)
    case .casHardware: CASCommand.query(.hardware)
    }
  }

  /// What is asked of a receiver whose family is known.
  static func of(_ family: ReceiverFamily) -> [ReceiverQuery] {
    switch family {
    case .ublox6, .ublox7, .ubloxM8, .ubloxM9, .ubloxM10, .ubloxF9: [.ubxVersion]
    case .mediatek: [.mtkRelease]
    case .airoha: [.pairVersion]
    case .casic: [.casFirmware, .casHardware]
    case .simcom, .other: []
    }
  }

  /// Whether this ends the waiting for an answer: by telling, or by refusing to tell.
  func isAnswered(by answer: ReceiverAnswer) -> Bool {
    switch (self, answer) {
    case (.ubxVersion, .ubxVersion), (.mtkRelease, .mtkVersion), (.pairVersion, .pairVersion):
      true
    case (.mtkRelease, .mtkAcknowledgement(let result)):
      result.command == 605 && result.result != .done
    case (.pairVersion, .pairAcknowledgement(let result)):
      result.command == 20 && result.result != .done && result.result != .pending
    case (.casFirmware, .notice(let text)): text.hasPrefix("SW=")
    case (.casHardware, .notice(let text)): text.hasPrefix("HW=")
    default: false
    }
  }
}
