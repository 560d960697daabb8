import Glibc

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
