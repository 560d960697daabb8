import Glibc

/// A file with access for its user only, in a folder that may belong to another user. It gets the
/// folder's owner, so that this user can use it even if root created it.
public enum PrivateFile {
  /// Creates an empty file.
  ///
  /// - Returns: the open descriptor.
  /// - Throws: EEXIST if the path exists, also as a link.
  public static func make(_ path: String) throws(SystemError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError.last }
    // Only root can change the owner; other users own the file anyway.
    if geteuid() == 0, let folder = FileStatus(path: PathParts(path).folder)?.kernel {
      _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }
    return descriptor
  }
}
