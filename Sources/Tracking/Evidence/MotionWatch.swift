import Quantities

/// What a motion sensor makes known: edges while the board moves, and none while it rests.
struct MotionWatch: Sendable {
  /// A lone edge is a truck passing, a sleeper turning over. A source that moves speaks again as
  /// soon as it may, and it may every ten seconds.
  static let burstGap: Seconds = 25
  /// Without an edge for so long the board rests. Longer than two masks of the source.
  static let quiet: Seconds = 30
  /// Edges for so long, and no way made: the line chatters.
  static let chatter: Seconds = 900

  private(set) var trust = SourceTrust(required: 1)
  /// How often a sensor that has not proved itself yet may ask for a look.
  private var credit = 20
  private(set) var lastEdge: BootInstant?
  /// When the edges began that go on now, and how many they are.
  private var burst: (began: BootInstant, edges: Int)?

  /// Whether its silence tells that the board rests, and its edges that it moves.
  var isTrusted: Bool { trust.isTrusted }

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

  // MARK: What others know

  /// The sensor cannot be read: its silence means nothing now.
  mutating func lost() { trust.contradict() }

  /// The board was found elsewhere than at `since`.
  mutating func displaced(since: BootInstant, until now: BootInstant) {
    if let lastEdge, lastEdge > since - Self.quiet {
      trust.confirm()
    } else {
      trust.contradict()
    }
  }

  /// The board was found where it was.
  mutating func notDisplaced(at now: BootInstant) {
    guard isTrusted, let moving = movesSince(at: now), now - moving > Self.chatter else { return }
    trust.contradict()
  }
}
