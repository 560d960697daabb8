import Glibc
import Platform
import Store

/// A file, or standard input, read in large pieces.
final class InputBytes {
  static let pieceSize = 1 << 20
  /// Advice when a file is not a recording.
  static let advice = "give the path of a recording, or - for standard input"

  private let name: String
  private let descriptor: Int32
  private let piece = UnsafeMutableRawBufferPointer.allocate(
    byteCount: InputBytes.pieceSize, alignment: 64)

  /// `-` is standard input.
  init(path: String) throws(FileFailure) {
    name = path == "-" ? "standard input" : path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("read", name, code: errno, advice: Self.advice) }
  }

  deinit {
    if descriptor != STDIN_FILENO, descriptor >= 0 { close(descriptor) }
    piece.deallocate()
  }

  /// The next bytes, valid until the next call; nil at the end.
  func next() throws(FileFailure) -> UnsafeRawBufferPointer? {
    while true {
      let count = read(descriptor, piece.baseAddress, piece.count)
      if count > 0 { return UnsafeRawBufferPointer(rebasing: piece[..<count]) }
      if count == 0 { return nil }
      guard errno == EINTR else {
        throw FileFailure("read", name, code: errno, advice: Self.advice)
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

  /// For a file that is written under another name in the same folder.
  init(writing name: String, _ failure: SystemError) {
    let advice: String? =
      switch failure.code {
      case ENOENT: "its folder has to exist"
      case EEXIST: "it has appeared in the meantime; name another file"
      default: nil
      }
    self.init("write", name, code: failure.code, advice: advice)
  }
}
