import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// A name survives a power cut once its folder is on the disk (fsync(2)).
enum FolderSync {
  /// - Returns: why the names in the folder may not survive; nil when they do, or when the file
  ///   system knows no such thing (EINVAL).
  static func run(_ folder: String) -> SystemError? {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return SystemError.last }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 || errno == EINVAL ? nil : SystemError.last
  }
}
