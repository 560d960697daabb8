import Glibc

/// Whether SIGINT or SIGTERM has come: work that ends by them still says its results.
enum Interruption {
  // Only ever set to one, by the handler.
  private nonisolated(unsafe) static var hasCome: sig_atomic_t = 0

  static func watch() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in Interruption.hasCome = 1 }
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
  }

  static var isWanted: Bool { hasCome != 0 }
}
