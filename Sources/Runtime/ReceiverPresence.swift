import Records
import Core

/// Whether there is a receiver that could draw current. One whose line cannot be opened, or that
/// has been silent since it was switched on, is charged no modelled energy: a table of joules would
/// suggest a working receiver.
struct ReceiverPresence {
  /// Since when it should be on; nil while it should not.
  private var awakeSince: BootInstant?
  /// True until the receiver sends something.
  private(set) var isMissing = false

  /// - Parameters:
  ///   - state: the state it should be in.
  ///   - lastHeard: when output of it was last received, in any state.
  ///   - patience: how long a working receiver may be silent after its start.
  mutating func update(
    _ state: GnssState, hasFailed: Bool, lastReception: BootInstant?, timeout: Seconds,
    at now: BootInstant
  ) {
    guard state == .acquiring || state == .tracking else { return awakeSince = nil }
    let since = awakeSince ?? now
    awakeSince = since
    if let lastReception, lastReception >= since {
      isMissing = hasFailed
    } else if hasFailed || now - since >= timeout {
      isMissing = true
    }
  }
}
