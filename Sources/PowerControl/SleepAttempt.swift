import Quantities
import ReceiverProtocols

/// One sleep command and what was heard after it. No receiver confirms that it sleeps: what shows
/// it is silence, for longer than its epochs are apart.
struct SleepAttempt: Hashable, Sendable {
  /// A late epoch, and a little more.
  static let margin = Seconds(1.5)

  /// The silence that shows that it sleeps.
  private let silence: Seconds

  let method: SleepMethod
  /// What comes until then had begun before the command.
  let drained: BootInstant
  private(set) var hasSpoken = false

  /// - Parameter pace: the longest that its epochs were apart.
  init(_ method: SleepMethod, pace: Seconds, at now: BootInstant) {
    self.method = method
    silence = max(pace, 1) + Self.margin
    drained = now + method.fallsSilentWithin
  }

  /// When it is decided; at once when it has spoken.
  var due: BootInstant { hasSpoken ? drained : drained + silence }

  mutating func hear(at now: BootInstant) {
    if now > drained { hasSpoken = true }
  }
}
