import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// Sends watchdog signals for a process with a loop other than the daemon.
package final class ServiceNotifier {
  private let notices: ServiceNotices
  /// Why no watchdog signals can be sent although systemd expects them.
  package let objection: String?

  package init(on loop: EventLoop) throws(PortError) {
    notices = try ServiceNotices(getenv("NOTIFY_SOCKET").map { String(cString: $0) }, loop: loop)
    objection = try Watchdog.start(notices, on: loop)
  }
}
