import Glibc
import Notation

/// What a command prints, gathered so that a million lines take a few hundred writes.
struct OutputBytes {
  /// More than this should be written out.
  static let plenty = 1 << 16

  var json = JSONWriter(reserving: 2 * plenty)
  private let descriptor: Int32
  private let name: String

  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Writes everything out if there is more than `limit` of it.
  mutating func spill(beyond limit: Int) throws(FileFailure) {
    guard json.bytes.count > limit else { return }
    var failure: FileFailure?
    json.bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          failure = FileFailure("write", name, code: errno)
          return
        }
      }
    }
    json.removeAll()
    if let failure { throw failure }
  }
}
