import Platform
import Ports
import Core

/// For commands that wait for a port and have no event loop.
extension BootClock {
  /// Waits until the port has work, or until the deadline. A port that waits for neither reading
  /// nor writing is not watched until it is due.
  ///
  /// - Parameter port: nil: only time passes.
  /// - Returns: whether the port has work.
  static func wait(for port: (any EventPort)?, until deadline: BootInstant) -> Bool {
    let end = port?.due.map { min($0, deadline) } ?? deadline
    let interest = port?.interest
    let waits = interest.map { $0.reads || $0.writes } ?? false
    let isReady = wait(
      for: waits ? interest?.descriptor : nil, writes: interest?.writes ?? false, until: end)
    return isReady || port?.due.map { $0 <= now } ?? false
  }
}
