import Core

/// The pause after something failed: it doubles with every further failure, up to a limit.
public struct BackOff: Hashable, Sendable {
  let first: Seconds
  let maxPause: Seconds
  /// Since the last success.
  public private(set) var failures = 0
  /// No further attempt before this moment.
  public private(set) var until: BootInstant?

  public init(first: Seconds, maxPause: Seconds) {
    self.first = first
    self.maxPause = maxPause
  }

  /// Returns the pause before the next attempt.
  @discardableResult
  public mutating func failed(at now: BootInstant) -> Seconds {
    failures += 1
    let doublings = Double(1 << min(failures - 1, 20))
    let pause = min(first * doublings, maxPause)
    until = now + pause
    return pause
  }

  /// A failure with a fixed pause, which is returned.
  mutating func failed(at now: BootInstant, for pause: Seconds) -> Seconds {
    failures += 1
    until = now + pause
    return pause
  }

  /// The pause is over: the next attempt is under way.
  mutating func retry() { until = nil }

  public mutating func succeeded() {
    failures = 0
    until = nil
  }
}

/// Attempts before the end of a pause, because the board seems to move. Evidence that continues
/// without signal, on a factory floor or below ground, must not cost an attempt each time.
struct EarlySearches: Hashable, Sendable {
  /// A doorway, a train's vestibule, a car below trees: this many may fail on one way out.
  private static let capacity = 10.0
  private static let refill: Seconds = 1200

  private var left = capacity
  private var since: BootInstant?

  /// Whether one more early attempt is affordable; if so, it is counted.
  mutating func spend(at now: BootInstant) -> Bool {
    if let since { left = min(Self.capacity, left + max(now - since, 0) / Self.refill) }
    since = now
    guard left >= 1 else { return false }
    left -= 1
    return true
  }

  /// There is reception.
  mutating func succeeded() { left = Self.capacity }
}

extension BackOff {
  /// The count is kept over a restart, the pause is not.
  static let failuresField = SnapshotField<BackOff>.kept(
    "failures", \.failures, .count(0...1000))
}
