import Glibc
import ReceiverStandIns

/// The receiver's UART: what it says while nobody has the line open is lost, as on a real one.
final class SerialPort {
  private let line: Pseudoterminal

  init(link: String) { line = Pseudoterminal(link: link) }

  /// Readable when somebody has said something; must not be waited for while the line is closed.
  var descriptor: Int32 { line.master }

  /// Whether somebody has the line open.
  var isOpen: Bool {
    var entry = pollfd(fd: line.master, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, 0)
    return entry.revents & Int16(POLLHUP) == 0
  }

  /// A serial line's driver forgets at the last close who wanted it for himself; that of a
  /// pseudo-terminal remembers as long as this end is open (tty_io.c, TTY_EXCLUSIVE).
  func forgetOwner() {
    let other = open(line.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard other >= 0 else { return }
    _ = ioctl(other, UInt(TIOCNXCL))
    close(other)
  }

  /// Whether somebody was there to take it.
  func send(_ bytes: [UInt8]) -> Bool {
    guard isOpen else { return false }
    line.offer(bytes)
    return true
  }

  func heard() -> [UInt8] { line.received() }

  /// Throws away what the receiver was about to be told.
  func discard() { _ = heard() }
}
