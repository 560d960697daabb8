/// Whether the receiver can be expected to obey a sleep command, from what came of earlier ones.
struct SleepCircuitBreaker: Hashable, Sendable {
  /// After so many failures in a row no further one is waited for.
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
