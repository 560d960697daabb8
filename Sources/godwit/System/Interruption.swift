import Glibc
import Store

/// Whether SIGINT, SIGTERM or SIGHUP has come: work that ends by them still says its results.
enum Interruption {
  // Only ever set to one, by the handler.
  private nonisolated(unsafe) static var hasCome: sig_atomic_t = 0

  static func watch() {
    // A shell's background jobs ignore SIGINT, and are to end by it here; nohup means it.
    for number in [SIGINT, SIGTERM, SIGHUP] {
      guard number != SIGHUP || !SignalAction.isIgnored(number) else { continue }
      SignalAction.set(number) { _ in Interruption.hasCome = 1 }
    }
  }

  static var isWanted: Bool { hasCome != 0 }
}
