#if canImport(Glibc)
  import Glibc
#endif

/// A file of sysfs, kept open: reading it again asks the driver again.
final class AttributeFile {
  let path: String
  private let descriptor: Int32

  /// Longer than any number that a driver writes.
  private static let longest = 64

  init(_ path: String) throws(AttributeFault) {
    self.path = path
    // Not blocking, so that something else of that name, a pipe for one, cannot hold anybody up.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw AttributeFault(path: path, reason: .system(errno)) }
  }

  deinit { close(descriptor) }

  /// Nil when there is no such file.
  static func ifPresent(_ path: String) throws(AttributeFault) -> AttributeFile? {
    do {
      return try AttributeFile(path)
    } catch {
      if error.reason == .system(ENOENT) { return nil }
      throw error
    }
  }

  func text() throws(AttributeFault) -> String {
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    var count: Int
    repeat { count = pread(descriptor, &bytes, bytes.count, 0) } while count < 0 && errno == EINTR
    guard count >= 0 else { throw AttributeFault(path: path, reason: .system(errno)) }
    guard count < bytes.count else { throw AttributeFault(path: path, reason: .notANumber) }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return String(text.prefix { $0 != "\n" && $0 != "\0" })
  }

  /// In the unit of the file.
  func number() throws(AttributeFault) -> Double {
    let text = try text()
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
    guard isPlain, let number = Double(text), number.magnitude < 1e15 else {
      throw AttributeFault(path: path, reason: .notANumber)
    }
    return number
  }

  static func number(at path: String) throws(AttributeFault) -> Double? {
    try ifPresent(path)?.number()
  }

  /// Writes the text in one piece, as drivers want it.
  static func write(_ text: String, to path: String) throws(AttributeFault) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw AttributeFault(path: path, reason: .system(errno)) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw AttributeFault(path: path, reason: .system(errno))
    }
  }
}
