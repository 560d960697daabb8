import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// What holds a folder.
public enum FileSystem {
  /// Brings the names in a folder to the disk: only then do they survive a power cut (fsync(2)).
  /// - Returns: why they may not; nil when they do, or when the file system knows no such thing
  ///   (EINVAL).
  static func sync(folder: String) -> SystemError? {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return SystemError.last }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 || errno == EINVAL ? nil : SystemError.last
  }

  /// Bytes that this process may still use on the file system of this file or folder; nil when it
  /// does not tell, and `errno` says why.
  public static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }
}
