import Glibc
import Notation

/// A command's output, buffered so that a million lines take a few hundred writes.
struct OutputBytes {
  /// More than this should be flushed.
  static let flushThreshold = 1 << 16

  var json = JSONWriter(reserving: 2 * flushThreshold)
  private let descriptor: Int32
  private let name: String

  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Flushes everything if there are more than `limit` bytes.
  mutating func flush(beyond limit: Int) throws(FileFailure) {
    guard json.bytes.count > limit else { return }
    defer { json.removeAll() }
    try Self.write(json.bytes, to: descriptor, name: name)
  }

  /// Like `Swift.print`, but a full disk is an error.
  static func print(_ text: String, terminator: String = "\n") throws(FileFailure) {
    try write(Array((text + terminator).utf8), to: STDOUT_FILENO, name: "standard output")
  }

  /// Writes all bytes, in as many calls as needed. `name` is for error messages.
  static func write(_ bytes: [UInt8], to descriptor: Int32, name: String) throws(FileFailure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw FileFailure("write", name, code: errno)
      }
    }
  }
}
