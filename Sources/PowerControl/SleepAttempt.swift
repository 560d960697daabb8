import Quantities
import ReceiverProtocols

/// One sleep command and what was heard after it. No receiver confirms that it sleeps: what shows
/// it is silence, for longer than its epochs are apart.
struct SleepAttempt: Hashable, Sendable {
  /// Two epochs at 1 Hz and a little more.
  static let silence = Seconds(2.5)

  let method: SleepMethod
  /// What comes until then had begun before the command.
  let drained: BootInstant
  private(set) var hasSpoken = false

  init(_ method: SleepMethod, at now: BootInstant) {
    self.method = method
    drained = now + method.fallsSilentWithin
  }

  /// When it is decided; at once when it has spoken.
  var due: BootInstant { hasSpoken ? drained : drained + Self.silence }

  mutating func hear(at now: BootInstant) {
    if now > drained { hasSpoken = true }
  }
}
