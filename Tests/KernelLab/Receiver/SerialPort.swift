import Glibc
import ReceiverStandIns

/// The receiver's own end of the line to the daemon.
protocol ReceiverEnd: AnyObject {
  /// Readable after input; must not be waited for while the line is closed.
  var descriptor: Int32 { get }
  /// Whether a process has the line open.
  var isOpen: Bool { get }
  /// Returns whether a process could receive it.
  func send(_ bytes: [UInt8]) -> Bool
  func heard() -> [UInt8]
  /// Called after the process that had the line open has closed it.
  func wasClosed()
}

/// The receiver's UART: its output while no process has the line open is lost, as on a real one.
final class SerialPort: ReceiverEnd {
  private let line: Pseudoterminal

  init(link: String) { line = Pseudoterminal(link: link) }

  var descriptor: Int32 { line.master }

  var isOpen: Bool {
    var entry = pollfd(fd: line.master, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, 0)
    return entry.revents & Int16(POLLHUP) == 0
  }

  /// A serial line's driver drops exclusive use at the last close. A pseudo-terminal's keeps it as
  /// long as this end is open (tty_io.c, TTY_EXCLUSIVE).
  func wasClosed() {
    let other = open(line.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard other >= 0 else { return }
    _ = ioctl(other, UInt(TIOCNXCL))
    close(other)
  }

  func send(_ bytes: [UInt8]) -> Bool {
    guard isOpen else { return false }
    line.offer(bytes)
    return true
  }

  func heard() -> [UInt8] { line.received() }
}
