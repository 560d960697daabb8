import Glibc
import Core

/// The receiver's power source.
protocol Supply: AnyObject {
  var isHigh: Bool { get }
  /// Sleeps until it may have changed or the other descriptor is readable, at most for `pause`.
  func wait(beside other: Int32?, atMost pause: Seconds)
}

/// The GPIO line that supplies the receiver, seen from the hardware's side: gpio-sim shows in sysfs
/// the level to which the kernel drives it.
///
/// A change of that file wakes no process. The kernel's trace of GPIO values does
/// (Documentation/trace/events.rst), so a receiver without supply sleeps until it is supplied. A
/// released line, which the trace does not report, is found by polling.
final class SupplyLine: Supply {
  private let folder: String
  private let trace: Int32

  init(folder: String, trace: String?) {
    self.folder = folder
    self.trace = trace.map { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) } ?? -1
  }

  deinit { if trace >= 0 { close(trace) } }

  /// Also false if there is no such line: a missing chip supplies nothing.
  var isHigh: Bool {
    // The folder may have changed since the last time: it is a link.
    let file = open(folder + "/value", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var byte: UInt8 = 0
    return read(file, &byte, 1) == 1 && byte == UInt8(ascii: "1")
  }

  func wait(beside other: Int32?, atMost pause: Seconds) {
    let milliseconds = Int32(max(0, min(1e9, (pause.value * 1000).rounded(.up))))
    // poll(2) ignores negative descriptors.
    var entries = [
      pollfd(fd: trace, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&entries, 2, milliseconds) > 0, entries[0].revents != 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(trace, &buffer, buffer.count) > 0 {}
  }
}
