import Core

/// What a motion sensor makes known: edges while the board moves, and none while it rests.
struct MotionWatch: Sendable {
  /// A lone edge is a truck passing, a sleeper turning over. A source that moves speaks again as
  /// soon as it may, and it may every ten seconds.
  static let burstGap: Seconds = 25
  /// Without an edge for so long the board rests. Longer than two masks of the source.
  static let quiet: Seconds = 30
  /// Edges for so long, and no way made: the line chatters.
  static let chatter: Seconds = 900
  /// Edges for so long without a pause, and nothing seen of a way: no ride is so dark.
  private static let darkChatter: Seconds = .hours(2)
  /// Between houses and behind walls a location may be off by less, and nobody has moved.
  private static let journey: Metres = 300
  /// A false beginning costs two looks: more of them in an hour cost more than looking every four
  /// minutes, as without a sensor.
  private static let maxFalseStarts = 8
  /// A sensor is shaken by somebody, or by a truck, at least so often: in a house it gives three
  /// false edges in ten hours (docs/simulation.md), and none in twelve only once in 36 times.
  private static let silence: Seconds = .hours(12)

  private(set) var trust = SourceTrust(required: 1)
  /// How often a sensor that has not proved itself yet may ask for a look.
  private var credit = 20
  private(set) var lastEdge: BootInstant?
  /// When the edges began that go on now, and how many they are.
  private var burst: (began: BootInstant, edges: Int)?
  /// The rest from which it felt the last journey begin.
  private var confirmedRest: BootInstant?
  /// The rest that it did not feel end.
  private var missedRest: BootInstant?
  /// Since when it could have spoken.
  private var listening: BootInstant?
  /// Whether it has not spoken for so long that its silence tells nothing.
  private var isSilent = false
  /// Whether it could not be read, and has not spoken since.
  private var isLost = false
  private var falseStarts = 0
  private var falseSince = BootInstant.zero

  /// Whether its silence tells that the board rests, and its edges that it moves. One that has not
  /// spoken for half a day is not relied on until it does.
  var isTrusted: Bool { trust.isTrusted && !isSilent && !isLost }

  /// Whether edges are worth a look although nothing is known of the sensor: it has to begin once,
  /// and one that has been wrong has had its chance.
  mutating func takeCredit() -> Bool {
    guard trust.contradictions == 0, credit > 0 else { return false }
    credit -= 1
    return true
  }

  /// - Returns: since when the board moves, if this edge is the one that tells.
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

  /// Since when the edges come that still go on.
  func movesSince(at now: BootInstant) -> BootInstant? {
    guard let burst, burst.edges > 1, let lastEdge, now - lastEdge < Self.quiet else { return nil }
    return burst.began
  }

  /// When the board has to be taken for resting, unless another edge comes; nil: it is already.
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

  // MARK: What others know

  /// The sensor cannot be read: until it speaks again its silence means nothing. It has not been
  /// wrong.
  mutating func lost() { isLost = true }

  /// The board was found so far from where it was at `since`. A sensor that was not silent since it
  /// came to rest tells nothing: a line that always chatters feels every journey.
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

  /// A look has found no sky while it is said to move.
  mutating func notSeen(at now: BootInstant) {
    guard trust.isTrusted, let moving = movesSince(at: now), now - moving > Self.darkChatter
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
