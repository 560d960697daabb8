import Core

/// Identifies the receiver on a serial line, by its output and by queries.
///
/// It accesses no line itself: the owner of the line calls `step`, performs the step, and passes
/// what was received to `receive`. First it only listens: a query at a wrong speed is noise. Then
/// it sends each query of `ReceiverQuery`, at most twice, until the receiver is identified.
public struct ReceiverProbe: Sendable {
  /// The next action.
  public enum Step: Equatable, Sendable {
    /// Send the query, then call `step`.
    case send(ReceiverQuery)
    /// Pass on what is received; call `step` after each piece, and at this moment at the latest.
    case listen(until: BootInstant)
    case finished
  }

  /// The longest time until an answer: the receiver may be in the middle of a burst of a second.
  static let answerTimeout: Seconds = 1.2
  static let maxAttempts = 2
  /// The number of valid frames that prove the line's speed.
  static let framesNeeded = 2

  public private(set) var identity = ReceiverIdentity()
  /// The protocols that were detected.
  public private(set) var protocols: ReceiverProtocolSet = []
  /// The queries that were sent, in order.
  public private(set) var sentQueries: [ReceiverQuery] = []
  /// The queries that were answered, including rejections.
  public private(set) var answeredQueries: Set<ReceiverQuery> = []

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
  ///   - listening: how long to wait for the first output.
  ///   - isSpeedCertain: whether queries may be sent on a silent line.
  public init(at now: BootInstant, listening: Seconds, isSpeedCertain: Bool) {
    phase = .listening(until: now + listening)
    self.isSpeedCertain = isSpeedCertain
  }

  /// Whether any valid frame was received.
  public var hasValidFrames: Bool { validFrames > 0 }

  /// Processes the input since the last call.
  ///
  /// - Parameters:
  ///   - bytes: the number of received bytes, valid or not; 0 if the speed is certain.
  ///   - validFrames: the number of frames with a valid checksum, of any protocol.
  ///   - protocols: the protocols of those frames.
  public mutating func receive(
    _ answers: [ReceiverAnswer], bytes taken: Int = 0, validFrames count: Int,
    protocols heard: ReceiverProtocolSet
  ) {
    bytes += max(0, taken)
    validFrames += max(0, count)
    protocols.formUnion(heard)
    for answer in answers {
      identity.learn(answer)
      answeredQueries.formUnion(ReceiverQuery.allCases.filter { $0.isAnswered(by: answer) })
    }
  }

  public mutating func step(at now: BootInstant) -> Step {
    switch phase {
    case .finished: return .finished
    case .listening(let end):
      if validFrames >= Self.framesNeeded { return sendQuery(at: now) }
      guard now >= end else { return .listen(until: end) }
      // Noise, or too little to be sure of the speed: a query would be noise to the receiver.
      guard isSpeedCertain, bytes == 0 || validFrames > 0 else { return finish() }
      return sendQuery(at: now)
    case .asking(let query, let attempt, let end):
      if answeredQueries.contains(query) { return sendQuery(at: now) }
      guard now >= end else { return .listen(until: end) }
      guard attempt < Self.maxAttempts else { return sendQuery(at: now) }
      return sendQuery(query, attempt: attempt + 1, at: now)
    }
  }

  /// The next useful query: first those of the detected protocol, and, until the receiver is
  /// identified, all others.
  private mutating func sendQuery(at now: BootInstant) -> Step {
    let likely = identity.family.map(ReceiverQuery.of) ?? []
    let candidates = identity.isCertain ? likely : likely + ReceiverQuery.allCases
    guard
      let next = candidates.first(where: {
        !sentQueries.contains($0) && !answeredQueries.contains($0)
      })
    else { return finish() }
    sentQueries.append(next)
    return sendQuery(next, attempt: 1, at: now)
  }

  private mutating func sendQuery(
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

/// Queries for a receiver's identity, in the order that is used for an unknown one.
///
/// None of them changes any receiver. Each has a specific form (a UBX frame, sentences with the
/// manufacturer's address) that receivers of other makes discard or reject: u-blox answers PMTK605
/// with a TXT "NMEA unknown msg"; MTK and CASIC skip the eight bytes of a UBX frame until the next
/// `$`.
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

  /// The queries for a receiver of known family.
  static func of(_ family: ReceiverFamily) -> [ReceiverQuery] {
    switch family {
    case .ublox6, .ublox7, .ubloxM8, .ubloxM9, .ubloxM10, .ubloxF9: [.ubxVersion]
    case .mediatek: [.mtkRelease]
    case .airoha: [.pairVersion]
    case .casic: [.casFirmware, .casHardware]
    case .simcom, .other: []
    }
  }

  /// Whether the answer ends the wait: with the information, or with a rejection.
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
