import Glibc

/// Why a system call failed (errno(3)). The caller, which knows the file and the attempted action,
/// makes a message of it.
public struct SystemError: Error, Equatable, Sendable {
  public let code: Int32

  public init(code: Int32) { self.code = code }

  /// The error of the call that has just failed.
  public static var last: SystemError { SystemError(code: errno) }

  /// The C library's text, such as "Permission denied". strerror(3) may overwrite the text that
  /// another thread is reading; this call does not.
  public var text: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let text = buffer.baseAddress else { return "error \(code)" }
      // A number without a text gets "Unknown error" and EINVAL, which adds nothing.
      text.initialize(repeating: 0, count: buffer.count)
      _ = strerror_r(code, text, buffer.count)
      return String(cString: text)
    }
  }
}
