import Core

/// The results for messages until they are stored, several together.
struct DeliveryResultQueue: Sendable {
  /// Stored at this number, or after this time.
  private static let most = 64
  static let time: Seconds = 0.5

  private var results: [DeliveryResult] = []
  private var since: BootInstant?

  /// When to store them; nil: there are none.
  var due: BootInstant? { since.map { $0 + Self.time } }

  mutating func add(_ more: [DeliveryResult], at now: BootInstant) {
    guard !more.isEmpty else { return }
    results += more
    since = since ?? now
  }

  /// - Parameter all: whether to store them before that is due.
  mutating func take(all: Bool, at now: BootInstant) -> [DeliveryResult] {
    guard all || results.count >= Self.most || due.map({ $0 <= now }) ?? false else {
      return []
    }
    defer {
      results = []
      since = nil
    }
    return results
  }
}
