#if canImport(Glibc)
  import Glibc
#endif

/// Room on a disk.
public enum DiskSpace {
  /// Bytes that this process may still use on the file system of this file or folder; nil when it
  /// does not tell, and `errno` says why.
  public static func free(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }
}
