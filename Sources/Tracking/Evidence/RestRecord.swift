import Core

/// What has been found out about one rest since it began.
struct RestRecord: Sendable {
  /// What told that it had begun.
  enum Origin: Hashable, Sendable {
    /// Locations in one place.
    case seen
    /// A motion sensor that fell silent.
    case felt
    /// The sky, which went dark.
    case dark
  }

  static let onFoot: MetresPerSecond = 1.4
  /// Nobody is under way for long and slower than this.
  private static let creeping: MetresPerSecond = 0.3
  /// From the gate to the ramp and back: half a minute at 15 m/s each.
  private static let hall: Metres = 1000
  /// Looks so near to each other leave nothing unwatched.
  private static let watch: Seconds = 60

  let origin: Origin
  /// By when it had begun at the latest.
  let begunBy: BootInstant
  /// The last moment at which nothing spoke against it.
  private(set) var until: BootInstant?
  /// Whether the arrival has been told to those that record it.
  private(set) var isTold = false
  /// Looks that gave a location.
  private var fixes = 0
  /// Looks that found no sky.
  private var darkLooks: Int

  init(_ origin: Origin, by begunBy: BootInstant) {
    self.origin = origin
    self.begunBy = begunBy
    darkLooks = origin == .dark ? 2 : 0
  }

  var isLocated: Bool { fixes > 0 }

  /// Whether it is a place where the sky was seen, and has just been gone for the first times.
  var hasLostSky: Bool { fixes > 2 && darkLooks < 3 }

  /// How far from where it went in a board may be found that has rested in the dark since then. One
  /// that was looked at all the time has come as far as it goes in a hall, at no more than a creep.
  func wayInTheDark(since: BootInstant, at now: BootInstant) -> Metres {
    let isWatched = until.map { now - $0 <= Self.watch } ?? false
    return isWatched ? min(Self.creeping * (now - since), Self.hall) : Self.onFoot * (now - since)
  }

  mutating func located(at now: BootInstant) {
    fixes = min(fixes + 1, 3)
    isTold = true
    until = now
  }

  mutating func lookedInTheDark() { darkLooks = min(darkLooks + 1, 3) }

  mutating func stayed(until now: BootInstant) { until = now }

  /// - Returns: whether that was news.
  mutating func tell() -> Bool {
    defer { isTold = true }
    return !isTold
  }
}
