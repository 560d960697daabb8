import Records
import Core

/// Whether there is a receiver at all whose current could flow. One whose line cannot be opened, or
/// that has never said anything since it was switched on, is charged no modelled energy: a table
/// of joules would look like the work of a receiver that works.
struct ReceiverPresence {
  /// Since when it should be awake; nil while it should not.
  private var awakeSince: BootInstant?
  /// Until it is heard.
  private(set) var isMissing = false

  /// - Parameters:
  ///   - state: what it should be doing.
  ///   - lastHeard: when it was heard last, in whatever state.
  ///   - patience: how long after its start one that works may be silent.
  mutating func update(
    _ state: GnssState, hasFailed: Bool, lastHeard: BootInstant?, patience: Seconds,
    at now: BootInstant
  ) {
    guard state == .acquiring || state == .tracking else { return awakeSince = nil }
    let since = awakeSince ?? now
    awakeSince = since
    if let lastHeard, lastHeard >= since {
      isMissing = hasFailed
    } else if hasFailed || now - since >= patience {
      isMissing = true
    }
  }
}
