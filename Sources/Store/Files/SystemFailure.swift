#if canImport(Glibc)
  import Glibc
#endif

/// Why the kernel did not do something (errno(3)). Whoever knows the file and what was to be done
/// with it makes a message of it.
public struct SystemFailure: Error, Equatable, Sendable {
  public let code: Int32

  public init(code: Int32) { self.code = code }

  /// The kernel's words.
  public var text: String { String(cString: strerror(code)) }
}
