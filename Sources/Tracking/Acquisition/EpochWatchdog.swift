import Core

/// The usual interval between epochs, and the detection of a receiver that has stopped sending.
///
/// Silence can only be detected by a timer. The check is moved only while epochs come, and only
/// when half of the timeout has passed, so that checks cause no wakes of their own and few changes
/// of the timer.
struct EpochWatchdog: Hashable, Sendable {
  /// Shorter gaps come from a busy line or a busy host.
  static let minTimeout: Seconds = 10
  static let weight = 0.2

  private var last: BootInstant?
  private var usualInterval: Seconds = 1
  private(set) var check: BootInstant?

  /// Without an epoch for this time, the receiver counts as silent.
  private var timeout: Seconds { max(Self.minTimeout, usualInterval * 3) }

  mutating func epochReceived(at now: BootInstant) {
    if let last { usualInterval += (min(now - last, timeout) - usualInterval) * Self.weight }
    last = now
  }

  func isSilent(at now: BootInstant) -> Bool { last.map { now - $0 >= timeout } ?? false }

  /// Sets the time of the next check.
  mutating func plan(at now: BootInstant) {
    guard let last else { return check = nil }
    let due = last + timeout
    guard let set = check, set > now, set >= due - timeout * 0.5 else {
      check = due
      return
    }
  }
}
