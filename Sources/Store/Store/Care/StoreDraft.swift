import Platform
import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// A new store under a hidden name beside its final path. It is deleted unless it is moved there.
final class StoreDraft {
  /// The hidden name.
  let path: String
  /// Why the new name may not survive a power cut; nil: it does.
  private(set) var warning: String?
  private let target: StoreFiles
  private let file: TemporaryFile
  private let mode: mode_t
  private let syncFolder: (String) -> SystemError?

  /// - Parameters:
  ///   - place: the final path; a link is followed.
  ///   - source: the store whose permissions it gets, less the umask, if there is no file yet.
  ///   - syncFolder: syncs the names in a folder to the disk.
  init(
    for place: String, like source: String,
    syncFolder: @escaping (String) -> SystemError? = FileSystem.sync(folder:)
  ) throws(PortError) {
    target = StoreFiles(place)
    mode = (FileStatus(path: source)?.kernel.st_mode ?? 0o600) & 0o777
    self.syncFolder = syncFolder
    do {
      file = try TemporaryFile(for: target.main, mode: mode, companions: StoreFiles.sideSuffixes)
    } catch {
      throw Self.cannotWrite(place, error.code)
    }
    path = file.path
    // Before SQLite opens the file: closing any descriptor of it releases the process's locks
    // (fcntl(2)).
    close(file.takeDescriptor())
  }

  private static func cannotWrite(_ place: String, _ code: Int32) -> PortError {
    let text =
      "cannot write \(place): \(SystemError(code: code).text); that folder "
      + "must exist, have free space, and be writable for this user"
    return [ENOSPC, EDQUOT].contains(code) ? .full(text) : .failed(text)
  }

  /// These files would corrupt a file that is put beside them.
  static func refuseStrays(beside target: StoreFiles) throws(PortError) {
    guard let stray = target.strays.first else { return }
    throw .failed(
      "\(stray) exists there and would be read as a part of the new \(target.main); move it away, "
        + "or name another file")
  }

  /// Moves the file to an unused path, atomically.
  func place() throws(PortError) {
    try setOwner(like: target.folder) { $0 & mode }
    try Self.refuseStrays(beside: target)
    try put { () throws(SystemError) in try file.appear() }
  }

  /// Replaces another file that is no longer needed.
  func replace() throws(PortError) {
    let other = FileStatus(path: target.main)?.kernel.st_mode
    try setOwner(like: target.main) { (other ?? $0) & 0o777 }
    try Self.refuseStrays(beside: target)
    try put { () throws(SystemError) in try file.replace() }
  }

  /// Replaces a store, which is kept with its log under another name.
  ///
  /// - Parameter word: added to the old file's name.
  /// - Returns: the old file's new name.
  func replaceStore(keepingAs word: String) throws(PortError) -> String {
    let other = FileStatus(path: target.main)?.kernel.st_mode
    try setOwner(like: target.main) { (other ?? $0) & 0o777 }
    let kept = target.freeStore(word)
    try UnfinishedFiles.uninterrupted { () throws(PortError) in
      let replacement = StoreReplacement(
        of: target, by: path, keepingAs: kept, hasLinks: StoreReplacement.hasLinks(beside: path))
      warn(try replacement.perform(syncFolder))
      file.hasMoved()
    }
    return kept.main
  }

  /// Sets owner and permissions, and syncs the content. Root may have started the command, and
  /// another user's daemon goes on writing the file.
  ///
  /// - Parameter mode: computes the permissions from the present ones.
  private func setOwner(like other: String, mode: (mode_t) -> mode_t) throws(PortError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    guard let present = FileStatus(descriptor: descriptor)?.kernel.st_mode else {
      throw failure(errno)
    }
    // Only root may change a file's owner.
    if geteuid() == 0, let owner = FileStatus(path: other)?.kernel {
      _ = fchown(descriptor, owner.st_uid, owner.st_gid)
    }
    guard fchmod(descriptor, mode(present)) == 0, fsync(descriptor) == 0 else {
      throw failure(errno)
    }
  }

  private func put(_ body: () throws(SystemError) -> Void) throws(PortError) {
    do {
      try body()
    } catch {
      throw failure(error.code)
    }
    warn(syncFolder(target.folder))
  }

  private func warn(_ failure: SystemError?) {
    guard let failure else { return }
    warning =
      "\(target.main) is in its place, but its folder could not be synced to the disk "
      + "(\(failure.text)): a power cut may undo it; run `sync`, and see `journalctl -k`"
  }

  private func failure(_ code: Int32) -> PortError {
    PortError(system: code, path: target.main, doing: "write")
  }
}
