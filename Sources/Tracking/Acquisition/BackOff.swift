import Notation
import Quantities

/// The pause after something failed: it doubles with every further failure, up to a limit.
struct BackOff: Hashable, Sendable {
  let first: Seconds
  let maxPause: Seconds
  /// Since the last success.
  private(set) var failures = 0
  /// No further attempt before this moment.
  private(set) var until: BootInstant?

  init(first: Seconds, maxPause: Seconds) {
    self.first = first
    self.maxPause = maxPause
  }

  /// Returns the pause before the next attempt.
  mutating func failed(at now: BootInstant) -> Seconds {
    failures += 1
    let doublings = Double(1 << min(failures - 1, 20))
    let pause = min(first * doublings, maxPause)
    until = now + pause
    return pause
  }

  /// With a pause that does not grow. Returns it.
  mutating func failed(at now: BootInstant, for pause: Seconds) -> Seconds {
    failures += 1
    until = now + pause
    return pause
  }

  /// The pause is over: the next attempt is under way.
  mutating func retry() { until = nil }

  mutating func succeeded() {
    failures = 0
    until = nil
  }
}

extension BackOff {
  /// What a later run goes on with: the count, without the pause.
  static let failuresField = SnapshotField<BackOff>.kept(
    "failures", \.failures, .count(0...1000))
}
