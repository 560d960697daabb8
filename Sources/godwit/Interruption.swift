import Glibc

/// Whether SIGINT, SIGTERM or SIGHUP has come: work that ends by them still says its results.
enum Interruption {
  // Only ever set to one, by the handler.
  private nonisolated(unsafe) static var hasCome: sig_atomic_t = 0

  static func watch() {
    // A shell's background jobs ignore SIGINT, and are to end by it here; nohup means it.
    for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !isIgnored(number) {
      handle(number) { _ in Interruption.hasCome = 1 }
    }
  }

  static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    sigaction(number, &action, nil)
  }

  /// Whether this program was started so that the signal does nothing.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  static var isWanted: Bool { hasCome != 0 }
}
