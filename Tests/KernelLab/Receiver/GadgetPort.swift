import Glibc
import Core

/// A receiver with its own kernel driver on USB's loopback controller: its output appears at
/// /dev/gnss0. It has power while that device is open, which shows in the driver's pending
/// transfers (drivers/gnss/usb.c, drivers/usb/gadget/udc/dummy_hcd.c).
final class GadgetPort: ReceiverEnd, Supply {
  private static let transfers = "/sys/devices/platform/dummy_hcd.0/urbs"
  private let path: String
  private(set) var descriptor: Int32

  /// - Parameter path: the gadget's end, "/dev/ttyGS0".
  init(_ path: String) throws(LabReceiverError) {
    self.path = path
    descriptor = Self.opened(path)
    guard descriptor >= 0 else {
      throw LabReceiverError(description: "\(path): \(String(cString: strerror(errno)))")
    }
  }

  private static func opened(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var settings = termios()
    guard descriptor >= 0, tcgetattr(descriptor, &settings) == 0 else { return descriptor }
    cfmakeraw(&settings)
    _ = tcsetattr(descriptor, TCSANOW, &settings)
    return descriptor
  }

  deinit { close(descriptor) }

  var isHigh: Bool {
    let file = open(Self.transfers, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).contains("in-bulk")
  }

  var isOpen: Bool { isHigh }

  func send(_ bytes: [UInt8]) -> Bool {
    guard isOpen else { return false }
    _ = write(descriptor, bytes, bytes.count)
    return true
  }

  func heard() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    if count == 0 || count < 0 && errno != EAGAIN {
      // Unplugging hangs up the line permanently.
      close(descriptor)
      descriptor = Self.opened(path)
    }
    return Array(buffer.prefix(max(count, 0)))
  }

  func wasClosed() {}

  /// A receiver without supply is not woken here, so it polls.
  func wait(beside other: Int32?, atMost pause: Seconds) {
    var entry = pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, Int32(max(0, min(1e9, (pause.value * 1000).rounded(.up)))))
  }
}
