import Core

/// What is known about one rest since it began.
struct RestRecord: Sendable {
  /// How its beginning was detected.
  enum Origin: Hashable, Sendable {
    /// Locations in one place.
    case located
    /// A motion sensor went silent.
    case sensed
    /// The signal was lost.
    case signalLost
  }

  private static let onFoot: MetresPerSecond = 1.4
  /// A journey is not slower than this for long.
  private static let creeping: MetresPerSecond = 0.3
  /// From the gate to the ramp and back: half a minute at 15 m/s each.
  private static let hall: Metres = 1000
  /// Fix attempts at such intervals leave no gap.
  private static let watch: Seconds = 60

  let origin: Origin
  /// The latest possible moment of its beginning.
  let begunBy: BootInstant
  /// The last moment at which it was still consistent with the evidence.
  private(set) var until: BootInstant?
  /// Whether the arrival has been reported for recording.
  private(set) var isReported = false
  /// Fix attempts with a location.
  private var fixes = 0
  /// Fix attempts without signal.
  private var failedAttempts: Int

  init(_ origin: Origin, by begunBy: BootInstant) {
    self.origin = origin
    self.begunBy = begunBy
    failedAttempts = origin == .signalLost ? 2 : 0
  }

  var isLocated: Bool { fixes > 0 }

  /// When it began at the latest, if a sensor detected it.
  var sensedBy: BootInstant? { origin == .sensed ? begunBy : nil }

  /// Whether the place had signal, and has lost it only recently.
  var hasLostSignal: Bool { fixes > 2 && failedAttempts < 3 }

  /// The maximum distance from where the signal was lost for a board that has rested without signal
  /// since then: the extent of a hall at creeping speed if attempts left no gap, otherwise a walk.
  func maxDistanceWithoutSignal(since: BootInstant, at now: BootInstant) -> Metres {
    let isWatched = until.map { now - $0 <= Self.watch } ?? false
    return isWatched ? min(Self.creeping * (now - since), Self.hall) : Self.onFoot * (now - since)
  }

  /// This rest before the first location of all. The speed from there to it is unknown; walking is
  /// assumed.
  func unlocated(since: BootInstant, at now: BootInstant) -> UnlocatedRest {
    let walk = until.map { min(2000, Self.onFoot * (now - $0)) }
    return UnlocatedRest(since: since, sensedBy: sensedBy, until: until, radius: walk ?? 0)
  }

  mutating func located(at now: BootInstant) {
    fixes = min(fixes + 1, 3)
    isReported = true
    until = now
  }

  mutating func countAttemptWithoutSignal() { failedAttempts = min(failedAttempts + 1, 3) }

  mutating func stayed(until now: BootInstant) { until = now }

  /// - Returns: whether it was not reported before.
  mutating func markReported() -> Bool {
    defer { isReported = true }
    return !isReported
  }
}
