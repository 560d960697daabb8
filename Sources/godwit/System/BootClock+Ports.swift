import Platform
import Ports
import Quantities

/// For commands that wait for a port and have no event loop.
extension BootClock {
  /// Waits until the port has work, or until the deadline.
  ///
  /// - Parameter port: nil: only time passes.
  /// - Returns: whether it has.
  static func wait(for port: (any EventPort)?, until deadline: BootInstant) -> Bool {
    let end = port?.due.map { min($0, deadline) } ?? deadline
    let interest = port?.interest
    let isReady = wait(
      for: interest?.descriptor, writes: interest?.writes ?? false, until: end)
    return isReady || port?.due.map { $0 <= now } ?? false
  }
}
