import Glibc
import Platform

/// An attribute in sysfs, written in one piece, as the kernel wants it.
enum SmallFile {
  /// - Returns: what the driver answers; nil: it has taken the value.
  static func write(_ text: String, to path: String) -> SystemError? {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return .last }
    defer { close(file) }
    return Glibc.write(file, text, text.utf8.count) < 0 ? .last : nil
  }
}
