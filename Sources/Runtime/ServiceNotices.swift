import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// What the service manager is told through NOTIFY_SOCKET, without ever waiting for it:
/// sd_notify(3) itself waits while the socket's queue is full (unix_wait_for_peer in af_unix.c).
///
/// A notice that is not taken is kept and tried again, at pauses from one second to a minute; what
/// no pause can help is dropped. Of those that are kept the oldest go first, because the last one
/// says how things are.
final class ServiceNotices {
  static let mostWaiting = 8
  static let firstPause = Seconds(1)
  static let longestPause = Seconds(60)

  private let descriptor: Int32
  private var address: sockaddr_un
  private let length: socklen_t
  private var waiting: [String] = []
  private var timer: EventSource?
  private var pause = ServiceNotices.firstPause
  /// Notices that were given up, and signs of life that were not taken.
  private(set) var dropped = 0

  /// - Parameter path: of NOTIFY_SOCKET: a file, or after `@` a name without one (unix(7)). Nil, or
  ///   a kind that systemd gives to virtual machines only: nobody is told.
  init(_ path: String?, loop: EventLoop) throws(EventLoopError) {
    address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array((path ?? "").utf8)
    let isAbstract = name.first == UInt8(ascii: "@")
    let isPath = name.first == UInt8(ascii: "/")
    let isUsable =
      (isPath || isAbstract) && name.count > 1
      && name.count < MemoryLayout.size(ofValue: address.sun_path)
    if isAbstract { name[0] = 0 }
    if isUsable { withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) } }
    let start = MemoryLayout.size(ofValue: address) - MemoryLayout.size(ofValue: address.sun_path)
    length = socklen_t(start + name.count + (isAbstract ? 0 : 1))
    descriptor =
      isUsable ? socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0) : -1
    timer = try loop.timer { [unowned self] in
      pause = min(pause * 2, Self.longestPause)
      sendWaiting()
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Parameter notice: assignments, one a line: "READY=1\nSTATUS=all is well".
  func tell(_ notice: String) {
    guard descriptor >= 0 else { return }
    if waiting.count >= Self.mostWaiting {
      waiting.removeFirst()
      dropped += 1
    }
    waiting.append(notice)
    sendWaiting()
  }

  /// For the watchdog. The next one is as good as this, so that it is not kept.
  func signOfLife() {
    guard descriptor >= 0 else { return }
    if !waiting.isEmpty { sendWaiting() }
    if !waiting.isEmpty || send("WATCHDOG=1") != 0 { dropped += 1 }
  }

  private func sendWaiting() {
    while let notice = waiting.first {
      let failure = send(notice)
      if [EAGAIN, ENOBUFS, ENOMEM].contains(failure) {
        timer?.set(at: BootClock.now + pause)
        return
      }
      waiting.removeFirst()
      if failure != 0 { dropped += 1 }
    }
    timer?.set(at: nil)
    pause = Self.firstPause
  }

  /// Returns an error number, or 0.
  private func send(_ notice: String) -> Int32 {
    let bytes = Array(notice.utf8)
    let sent = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, length)
      }
    }
    return sent < 0 ? errno : 0
  }
}
