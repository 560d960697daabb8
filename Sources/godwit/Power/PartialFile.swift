import Glibc
import Platform
import Store

/// The destination of a recording's bytes.
protocol RecordingTarget {
  func write(_ bytes: [UInt8]) throws(FileFailure)
  /// Called when all bytes were written.
  func commit() throws(FileFailure)
}

extension AtomicFile: RecordingTarget {}

/// A file that gets its name when it is complete. Until then, and if it is abandoned, it has
/// another name: `run.partial-1.json` for `run.json`, with the first free number.
final class PartialFile: RecordingTarget {
  private static let mostParts = 1000

  private let target: String
  private let path: String
  private let descriptor: Int32

  init(path target: String) throws(FileFailure) {
    self.target = target
    let dot = target.lastIndex(of: ".") ?? target.endIndex
    for number in 1...Self.mostParts {
      let path = "\(target[..<dot]).partial-\(number)\(target[dot...])"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        self.path = path
        self.descriptor = descriptor
        return
      }
      guard errno == EEXIST else { throw FileFailure("write", path, code: errno) }
    }
    throw FileFailure("write", target, code: EEXIST)
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) throws(FileFailure) {
    try OutputBytes.write(bytes, to: descriptor, name: path)
  }

  func commit() throws(FileFailure) {
    guard fsync(descriptor) == 0, rename(path, target) == 0 else {
      throw FileFailure("write", target, code: errno)
    }
  }
}
