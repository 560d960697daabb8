import Core

/// The pause after a fix attempt without signal: longer each time, until the board moves or is
/// located. More attempts do not locate a board at rest behind walls.
struct NoSignalPause: Hashable, Sendable {
  /// After the first failure.
  private static let first: Seconds = 60
  private static let longest: Seconds = 900
  /// Where a departure would be detected.
  private static let longestAtRest: Seconds = 7200

  private var failures = 0
  private var failedAt: BootInstant?

  init() {}

  mutating func searchFailed(at now: BootInstant) {
    failures = min(failures + 1, 16)
    failedAt = now
  }

  /// The board was located or moves: reception may be different.
  mutating func end() { self = NoSignalPause() }

  /// The end of the pause; nil: there is none.
  /// - Parameter isWatched: whether the board rests, and a departure would be detected.
  func until(isWatched: Bool) -> BootInstant? {
    guard let failedAt else { return nil }
    let longest = isWatched ? Self.longestAtRest : Self.longest
    return failedAt + min(Self.first * Double(1 << (failures - 1)), longest)
  }
}
