import Glibc
import Core
import Platform

/// A command's output, buffered so that a million lines take a few hundred writes.
struct OutputBytes {
  /// More than this should be flushed.
  static let flushThreshold = 1 << 16

  /// Whether anything has gone to standard output. Only ever set to true.
  nonisolated(unsafe) private(set) static var hasPrinted = false

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
    if descriptor == STDOUT_FILENO, !bytes.isEmpty { hasPrinted = true }
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

/// A file, or standard input, read in large pieces.
final class InputBytes {
  static let pieceSize = 1 << 20
  /// The advice if a file is no recording.
  static let advice = "specify the path of a recording, or - for standard input"

  private let name: String
  private let advice: String
  private let descriptor: Int32
  private let piece = UnsafeMutableRawBufferPointer.allocate(
    byteCount: InputBytes.pieceSize, alignment: 64)

  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - advice: what to do if it cannot be read.
  init(path: String, advice: String = advice) throws(FileFailure) {
    self.advice = advice
    name = path == "-" ? "standard input" : path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("read", name, code: errno, advice: advice) }
  }

  deinit {
    if descriptor != STDIN_FILENO, descriptor >= 0 { close(descriptor) }
    piece.deallocate()
  }

  /// Returns to the beginning; false for a pipe, which cannot be rewound.
  func rewind() -> Bool { lseek(descriptor, 0, SEEK_SET) == 0 }

  /// The next bytes, valid until the next call; nil at the end.
  func next() throws(FileFailure) -> UnsafeRawBufferPointer? {
    while true {
      let count = read(descriptor, piece.baseAddress, piece.count)
      if count > 0 { return UnsafeRawBufferPointer(rebasing: piece[..<count]) }
      if count == 0 { return nil }
      guard errno == EINTR else {
        throw FileFailure("read", name, code: errno, advice: advice)
      }
    }
  }
}

/// Why a file could not be read or written, for people.
struct FileFailure: Error, CustomStringConvertible {
  let description: String

  init(_ action: String, _ name: String, code: Int32, advice: String? = nil) {
    let why = "cannot \(action) \(name): \(SystemError(code: code).text)"
    description = advice.map { "\(why); \($0)" } ?? why
  }

  /// For a file that is not overwritten.
  init(keeping name: String, _ reason: String) {
    description = "cannot write \(name): \(reason)"
  }

  /// For a file that is written under another name in the same folder.
  init(writing name: String, _ failure: SystemError) {
    let advice: String? =
      switch failure.code {
      case ENOENT: "its folder must exist"
      case EEXIST: "it has appeared in the meantime; name another file"
      default: nil
      }
    self.init("write", name, code: failure.code, advice: advice)
  }
}
