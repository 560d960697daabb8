import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// What systemd sees of a process with a loop, beside the daemon: that it lives.
package final class ServiceNotifier {
  private let notices: ServiceNotices
  /// Why no signs of life can be given, though they are wanted.
  package let objection: String?

  package init(on loop: EventLoop) throws(PortError) {
    notices = try ServiceNotices(getenv("NOTIFY_SOCKET").map { String(cString: $0) }, loop: loop)
    objection = try Watchdog.start(notices, on: loop)
  }
}
