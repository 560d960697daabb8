import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// Excludes a second import into the folder of a table, as long as this object exists (flock(2)).
/// Locking the folder leaves no file behind.
final class ImportLock {
  private let descriptor: Int32

  init(_ folder: String) throws(CellImportError) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // If the folder cannot be opened the table cannot be made, and that error names the path.
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else {
      return
    }
    throw CellImportError(
      "another import into \(folder) is running: wait until it has ended, then run this one")
  }

  deinit { if descriptor >= 0 { SystemFiles.closeLocked(descriptor) } }
}
