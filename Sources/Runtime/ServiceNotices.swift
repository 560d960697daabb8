import Ports
import Platform
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// Notifies the service manager through NOTIFY_SOCKET without blocking: sd_notify(3) itself blocks
/// while the socket's queue is full (unix_wait_for_peer in af_unix.c).
///
/// A notice that is not accepted is kept and retried, after pauses from one second to a minute;
/// after a permanent error it is dropped. If too many are kept, the oldest is dropped, because the
/// last one has the present status.
final class ServiceNotices {
  static let maxWaiting = 8
  static let firstPause = Seconds(1)
  static let maxPause = Seconds(60)

  private let descriptor: Int32
  private let address: UnixAddress?
  private var waiting: [String] = []
  private var timer: EventSource?
  private var pause = ServiceNotices.firstPause
  /// Notices that were dropped, and watchdog signals that were not accepted.
  private(set) var dropped = 0

  /// - Parameter path: the value of NOTIFY_SOCKET: a file, or after `@` an abstract name (unix(7)).
  ///   Nil, or a kind that systemd gives to virtual machines only: no notices are sent.
  init(_ path: String?, loop: EventLoop) throws(PortError) {
    address = path.flatMap(UnixAddress.init(absolutePathOrName:))
    descriptor = address == nil ? -1 : UnixAddress.datagramSocket()
    timer = try loop.timer { [unowned self] in
      pause = min(pause * 2, Self.maxPause)
      sendWaiting()
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Parameter notice: assignments, one per line: "READY=1\nSTATUS=all is well".
  func notify(_ notice: String) {
    guard descriptor >= 0 else { return }
    if waiting.count >= Self.maxWaiting {
      waiting.removeFirst()
      dropped += 1
    }
    waiting.append(notice)
    sendWaiting()
  }

  /// Sends a watchdog signal. It is not kept, because the next one replaces it.
  func sendWatchdog() {
    guard descriptor >= 0 else { return }
    if !waiting.isEmpty { sendWaiting() }
    if !waiting.isEmpty || send("WATCHDOG=1") != nil { dropped += 1 }
  }

  private func sendWaiting() {
    while let notice = waiting.first {
      let failure = send(notice)
      if let failure, [EAGAIN, ENOBUFS, ENOMEM].contains(failure.code) {
        timer?.set(at: BootClock.now + pause)
        return
      }
      waiting.removeFirst()
      if failure != nil { dropped += 1 }
    }
    timer?.set(at: nil)
    pause = Self.firstPause
  }

  private func send(_ notice: String) -> SystemError? {
    address?.send(Array(notice.utf8), from: descriptor)
  }
}
