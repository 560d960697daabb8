import Glibc

/// The error of a system call (errno(3)). The caller, which knows the file and the action, turns it
/// into a message.
public struct SystemError: Error, Equatable, Sendable {
  public let code: Int32

  public init(code: Int32) { self.code = code }

  /// The error of the last failed call.
  public static var last: SystemError { SystemError(code: errno) }

  /// The C library's text, such as "Permission denied". Unlike strerror(3), this is thread-safe.
  public var text: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let text = buffer.baseAddress else { return "error \(code)" }
      // A number without a text gives "Unknown error" and EINVAL, which adds nothing.
      text.initialize(repeating: 0, count: buffer.count)
      _ = strerror_r(code, text, buffer.count)
      return String(cString: text)
    }
  }
}
