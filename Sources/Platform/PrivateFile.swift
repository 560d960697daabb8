import Glibc

/// A file for its user alone, in a folder that may be another user's: whoever has the folder has to
/// use the file, too, though root may have been the first.
public enum PrivateFile {
  /// Makes an empty one.
  ///
  /// - Returns: what it is open as.
  /// - Throws: EEXIST where there is something, a link included.
  public static func make(_ path: String) throws(SystemError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError.last }
    // Only root may give files away; everybody else's are their own.
    if geteuid() == 0, let folder = FileStatus(path: PathParts(path).folder)?.kernel {
      _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }
    return descriptor
  }
}
