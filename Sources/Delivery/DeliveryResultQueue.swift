import Core

/// What has become of messages, until it is put on the disk: several together.
struct DeliveryResultQueue: Sendable {
  /// So many, or after so long.
  private static let most = 64
  static let time: Seconds = 0.5

  private var settlements: [DeliveryResult] = []
  private var since: BootInstant?

  /// When it is time; nil: there is nothing.
  var due: BootInstant? { since.map { $0 + Self.time } }

  mutating func add(_ more: [DeliveryResult], at now: BootInstant) {
    guard !more.isEmpty else { return }
    settlements += more
    since = since ?? now
  }

  /// - Parameter all: whether or not it is time.
  mutating func take(all: Bool, at now: BootInstant) -> [DeliveryResult] {
    guard all || settlements.count >= Self.most || due.map({ $0 <= now }) ?? false else {
      return []
    }
    defer {
      settlements = []
      since = nil
    }
    return settlements
  }
}
