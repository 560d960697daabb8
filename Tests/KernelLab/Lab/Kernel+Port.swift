import Glibc
import KernelHardware
import Ports

extension Kernel {
  /// Waits as the daemon's loop does: until one of the ports is ready or due, or until `end`.
  static func wait(for ports: [any EventPort], until end: Double) {
    var entries = ports.map { port in
      let interest = port.interest
      let events =
        (interest?.reads ?? false ? POLLIN : 0) | (interest?.writes ?? false ? POLLOUT : 0)
      return pollfd(
        fd: events == 0 ? -1 : interest?.descriptor ?? -1, events: Int16(events), revents: 0)
    }
    let due = ports.compactMap(\.due).map { Double($0.nanoseconds) * 1e-9 }.min() ?? end
    let pause = max(0, min(due, end) - uptime)
    poll(&entries, nfds_t(entries.count), Int32((pause * 1000).rounded(.up)))
  }
}
