#if canImport(Glibc)
  import Glibc
#endif

public enum KernelRelease {
  /// "6.12.41+deb13-amd64".
  public static var running: String {
    var system = utsname()
    guard uname(&system) == 0 else { return "" }
    return withUnsafeBytes(of: &system.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
