import Glibc
import Platform

/// Whether SIGINT, SIGTERM or SIGHUP has arrived: interrupted work still prints its results,
/// and leaves the receiver's supply as it was.
enum Interruption {
  // The handler only ever sets it to one.
  private nonisolated(unsafe) static var hasCome: sig_atomic_t = 0

  static func watch() {
    // Background jobs of a shell ignore SIGINT, but end by it here; nohup is respected.
    for number in [SIGINT, SIGTERM, SIGHUP] {
      guard number != SIGHUP || !SignalAction.isIgnored(number) else { continue }
      SignalAction.set(number) { _ in Interruption.hasCome = 1 }
    }
  }

  static var isWanted: Bool { hasCome != 0 }
}
