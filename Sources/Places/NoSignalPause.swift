import Core

/// How long nobody looks again where a search has found no sky: longer each time, until the board
/// moves or is located. What rests behind walls is not found by searching more often.
public struct NoSignalPause: Hashable, Sendable {
  /// It has just been tried in vain.
  private static let first: Seconds = 60
  private static let longest: Seconds = 900
  /// Where something would tell if the board left.
  private static let longestAtRest: Seconds = 7200

  private var failures = 0
  private var failedAt: BootInstant?

  public init() {}

  public mutating func searchFailed(at now: BootInstant) {
    failures = min(failures + 1, 16)
    failedAt = now
  }

  /// The board was located, or moves: another sky.
  public mutating func end() { self = NoSignalPause() }

  /// Until when nobody looks; nil: nothing speaks against it.
  /// - Parameter isWatched: whether the board rests, and something would tell if it left.
  public func until(isWatched: Bool) -> BootInstant? {
    guard let failedAt else { return nil }
    let longest = isWatched ? Self.longestAtRest : Self.longest
    return failedAt + min(Self.first * Double(1 << (failures - 1)), longest)
  }
}
