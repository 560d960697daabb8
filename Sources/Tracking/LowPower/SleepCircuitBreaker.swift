/// Whether the receiver can be expected to accept a sleep command, from the results of earlier
/// ones.
struct SleepCircuitBreaker: Hashable, Sendable {
  /// After this many consecutive failures no further command is sent.
  static let limit = 3

  private var failures = 0
  /// Sleep commands are no longer sent.
  private(set) var isOpen = false

  mutating func failed() {
    failures += 1
    if failures >= Self.limit { isOpen = true }
  }

  mutating func succeeded() { failures = 0 }

  mutating func open() { isOpen = true }
}
