import Glibc
import Platform
import Store

/// A file that appears complete or not at all: written under another name in the same folder,
/// synced to the disk, and renamed. An existing file stays until then. A link is followed. Anything
/// but a regular file (a terminal, a pipe, /dev/stdout) is written to directly, never replaced by a
/// file. A database is not replaced either: it may be a store.
final class AtomicFile {
  private let path: String
  /// The target of the path.
  private let target: String
  private var temporary: TemporaryFile?
  private var descriptor: Int32

  /// - Parameter mode: of a new file, before umask(2) is applied.
  init(path: String, mode: mode_t = 0o666) throws(FileFailure) {
    self.path = path
    // The path itself if nothing exists there yet.
    target = SystemFiles.resolved(path) ?? path
    if let status = FileStatus(path: target), status.kind != .regular {
      let opened = open(target, O_WRONLY | O_CLOEXEC)
      // Before everything is initialized: `deinit` would close -1 and overwrite errno.
      guard opened >= 0 else { throw FileFailure("write", path, code: errno) }
      descriptor = opened
    } else {
      try Self.check(target, path)
      do {
        let temporary = try TemporaryFile(for: target, mode: mode)
        descriptor = temporary.takeDescriptor()
        self.temporary = temporary
      } catch {
        throw FileFailure(writing: path, error)
      }
    }
  }

  private static func check(_ target: String, _ path: String) throws(FileFailure) {
    guard let objection = DatabaseFile.objection(toReplacing: target) else { return }
    throw FileFailure(keeping: path, objection)
  }

  deinit {
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  func write(_ bytes: [UInt8]) throws(FileFailure) {
    try OutputBytes.write(bytes, to: descriptor, name: path)
  }

  func commit() throws(FileFailure) {
    guard let temporary else { return }
    // A store may have been created there meanwhile.
    try Self.check(target, path)
    guard fsync(descriptor) == 0 else { throw FileFailure("write", path, code: errno) }
    do {
      try temporary.replace()
    } catch {
      throw FileFailure(writing: path, error)
    }
    self.temporary = nil
  }
}
