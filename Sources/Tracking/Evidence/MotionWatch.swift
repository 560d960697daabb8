import Core

/// The motion sensor as evidence: edges while the board moves, and none while it rests.
struct MotionWatch: Sendable {
  /// A single edge is a passing truck or a sleeper turning over. During movement the source reports
  /// again as soon as it may, which is every ten seconds.
  static let burstGap: Seconds = 25
  /// Without an edge for this time the board rests. Longer than two dead times of the source.
  static let quiet: Seconds = 30
  /// By this long the last edge may precede the end of a movement: the dead time of the source, and
  /// some seconds.
  static let deadTime: Seconds = 13
  /// From the beginning of a movement to its first edge.
  static let delay: Seconds = 10
  /// Edges for this long without a change of position: the line chatters.
  static let chatter: Seconds = 900
  /// Uninterrupted edges for this long without any signal: no ride is that long without one.
  private static let noSignalChatter: Seconds = .hours(2)
  /// Between buildings and behind walls, smaller displacements may be location errors.
  private static let journey: Metres = 300
  /// A false start costs two fix attempts: more per hour cost more than the attempts every four
  /// minutes that are made without a sensor.
  private static let maxFalseStarts = 8
  /// A working sensor reports somebody's steps or a truck at least this often: in a house it gives
  /// three false edges in ten hours (docs/design/simulation-model.md), and none in twelve only once
  /// in 36 times.
  private static let silence: Seconds = .hours(12)

  private(set) var trust = SourceTrust(required: 1)
  /// How many fix attempts an unproven sensor may still trigger.
  private var credit = 20
  private(set) var lastEdge: BootInstant?
  /// The present burst: when it began, and its number of edges.
  private var burst: (began: BootInstant, edges: Int)?
  /// The rest whose end it reported last.
  private var confirmedRest: BootInstant?
  /// The rest whose end it missed.
  private var missedRest: BootInstant?
  /// Since when it could have reported.
  private var listening: BootInstant?
  /// Whether it has been silent for so long that its silence means nothing.
  private var isSilent = false
  /// Whether it could not be read, and has not reported since.
  private var isLost = false
  private var falseStarts = 0
  private var falseSince = BootInstant.zero

  /// Whether its silence means rest, and its edges movement. After half a day of silence it is not
  /// relied on until it reports again.
  var isTrusted: Bool { trust.isTrusted && !isSilent && !isLost }

  /// Whether edges of an unproven sensor are worth a fix attempt: without attempts it could never
  /// prove itself, and after a contradiction it gets no more of them.
  mutating func takeCredit() -> Bool {
    guard trust.contradictions == 0, credit > 0 else { return false }
    credit -= 1
    return true
  }

  /// - Returns: since when the board moves, if this edge establishes it.
  mutating func edge(at now: BootInstant) -> BootInstant? {
    if let last = lastEdge, let running = burst, now - last <= Self.burstGap {
      burst = (running.began, running.edges + 1)
    } else {
      burst = (now, 1)
    }
    lastEdge = now
    isSilent = false
    isLost = false
    guard let burst, burst.edges == 2 else { return nil }
    return burst.began
  }

  /// The start of the present burst of edges.
  func movesSince(at now: BootInstant) -> BootInstant? {
    guard let burst, burst.edges > 1, let lastEdge, now - lastEdge < Self.quiet else { return nil }
    return burst.began
  }

  /// When the board will count as resting unless another edge comes; nil: it already does.
  func quietAt(after now: BootInstant) -> BootInstant? {
    guard let lastEdge else { return nil }
    let due = lastEdge + Self.quiet
    return due > now ? due : nil
  }

  mutating func timePassed(at now: BootInstant) {
    let begin = listening ?? now
    listening = begin
    isSilent = now - (lastEdge ?? begin) >= Self.silence
  }

  // MARK: Findings of other sources

  /// The sensor cannot be read: its silence means nothing until it reports again. It was not wrong.
  mutating func lost() { isLost = true }

  /// The board was found at this distance from where it was at `since`. A sensor without a silence
  /// since the board came to rest proves nothing: a chattering line reports every journey.
  mutating func displaced(by distance: Metres, since: BootInstant, afterRestSince rest: BootInstant)
  {
    guard let lastEdge, lastEdge > since - Self.quiet else {
      // One journey counts once, however often the board is located on it.
      guard distance > Self.journey, missedRest != rest else { return }
      missedRest = rest
      return trust.contradict()
    }
    falseStarts = 0
    guard confirmedRest != rest, let burst, burst.began > rest else { return }
    confirmedRest = rest
    trust.confirm()
  }

  /// The board was found where it has been since then.
  mutating func notDisplaced(since place: BootInstant, at now: BootInstant) {
    guard trust.isTrusted, let moving = movesSince(at: now),
      now - max(moving, place) > Self.chatter
    else { return }
    trust.contradict()
  }

  /// A fix attempt had no signal while the sensor reports movement.
  mutating func attemptWithoutSignal(at now: BootInstant) {
    guard trust.isTrusted, let moving = movesSince(at: now), now - moving > Self.noSignalChatter
    else { return }
    trust.contradict()
  }

  /// The edges have ended, and the board is where it was when they began.
  mutating func startedFalsely(at now: BootInstant) {
    if now - falseSince > .hours(1) {
      falseSince = now
      falseStarts = 0
    }
    falseStarts += 1
    guard falseStarts > Self.maxFalseStarts else { return }
    falseStarts = 0
    trust.contradict()
  }
}

// MARK: Over a restart

extension MotionWatch {
  static let fields = SnapshotFields<MotionWatch>([.part("trust", \.trust, SourceTrust.fields)])
}
