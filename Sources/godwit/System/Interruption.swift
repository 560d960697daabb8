import Glibc
import Platform

/// Whether SIGINT, SIGTERM or SIGHUP has arrived: work that they end still prints its results.
enum Interruption {
  // Only ever set to one, by the handler.
  private nonisolated(unsafe) static var hasCome: sig_atomic_t = 0

  static func watch() {
    // A shell's background jobs ignore SIGINT, but end by it here; nohup is respected.
    for number in [SIGINT, SIGTERM, SIGHUP] {
      guard number != SIGHUP || !SignalAction.isIgnored(number) else { continue }
      SignalAction.set(number) { _ in Interruption.hasCome = 1 }
    }
  }

  static var isWanted: Bool { hasCome != 0 }
}
