import Core

/// How often the receiver speaks, and since when it should have spoken.
///
/// A receiver that falls silent cannot say so; only time can. The moment to look is put off while
/// epochs come, and only when half of it has passed, so that looking costs no wakes of its own and
/// few changes of the timer.
struct EpochWatchdog: Hashable, Sendable {
  /// Shorter silences are a busy line, or a host that was busy itself.
  static let minTimeout: Seconds = 10
  static let weight = 0.2

  private var last: BootInstant?
  private var usualInterval: Seconds = 1
  private(set) var check: BootInstant?

  /// After this time without an epoch it is silent.
  private var timeout: Seconds { max(Self.minTimeout, usualInterval * 3) }

  mutating func heard(at now: BootInstant) {
    if let last { usualInterval += (min(now - last, timeout) - usualInterval) * Self.weight }
    last = now
  }

  func isSilent(at now: BootInstant) -> Bool { last.map { now - $0 >= timeout } ?? false }

  /// Sets when to look for silence next.
  mutating func plan(at now: BootInstant) {
    guard let last else { return check = nil }
    let due = last + timeout
    guard let set = check, set > now, set >= due - timeout * 0.5 else {
      check = due
      return
    }
  }
}
