import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// A new file beside the place where it shall be. It is gone again unless it is put there.
final class StoreDraft {
  /// What it is called until then.
  let path: String
  private let target: StoreFiles
  private var isPlaced = false

  /// - Parameter place: where it shall be; a link is followed.
  init(for place: String) throws(StoreError) {
    target = StoreFiles(place)
    var name = Array((target.main + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw StoreError(system: errno, path: place, doing: "write a file beside")
    }
    close(descriptor)
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    guard !isPlaced else { return }
    for name in StoreFiles(path).all { unlink(name) }
  }

  /// Puts the file in a place where nothing is, all of it at once.
  func place() throws(StoreError) {
    try settle(like: target.folder, isFolder: true)
    // A hard link fails when somebody was faster; file systems without links have no such way.
    if link(path, target.main) == 0 {
      unlink(path)
    } else {
      guard errno == EPERM || errno == EOPNOTSUPP, access(target.main, F_OK) != 0,
        rename(path, target.main) == 0
      else { throw failure("write") }
    }
    try finish()
  }

  /// Puts the file in the place of another that is not needed any more.
  func replace() throws(StoreError) {
    try settle(like: target.main, isFolder: false)
    guard rename(path, target.main) == 0 else { throw failure("write") }
    try finish()
  }

  /// Puts the file in the place of a store, which is kept with its log under another name. At every
  /// moment one of the two can be opened, and no log lies beside a file that it does not belong to.
  ///
  /// - Parameter word: what is added to the old file's name.
  /// - Returns: the old file's new name.
  func replaceStore(keepingAs word: String) throws(StoreError) -> String {
    try settle(like: target.main, isFolder: false)
    let kept = StoreFiles(freeName(word))
    var byLink = true
    for (old, new) in zip(target.all, kept.all) where access(old, F_OK) == 0 {
      // The index is made anew from the log.
      if old.hasSuffix("-shm") { continue }
      if byLink, link(old, new) == 0 { continue }
      byLink = false
      guard rename(old, new) == 0 else { throw failure("keep") }
    }
    for name in target.all.dropFirst() where unlink(name) != 0 && errno != ENOENT {
      throw failure("write")
    }
    guard rename(path, target.main) == 0 else { throw failure("write") }
    try finish()
    return kept.main
  }

  private func freeName(_ word: String) -> String {
    var name = "\(target.main).\(word)"
    var number = 2
    while access(name, F_OK) == 0 {
      name = "\(target.main).\(word)-\(number)"
      number += 1
    }
    return name
  }

  /// Owner, permissions and bytes as they shall be. Root may have started what another user's
  /// daemon goes on writing to.
  private func settle(like other: String, isFolder: Bool) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("write") }
    defer { close(descriptor) }
    var mode: mode_t = 0o644
    var status = stat()
    if stat(other, &status) == 0 {
      if !isFolder { mode = status.st_mode & 0o777 }
      // Only root may give files away; everybody else's are their own.
      if geteuid() == 0 { _ = fchown(descriptor, status.st_uid, status.st_gid) }
    }
    guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else { throw failure("write") }
  }

  /// The new name survives a power cut once its folder is on the disk.
  private func finish() throws(StoreError) {
    isPlaced = true
    let folder = open(target.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    // Some file systems cannot do this with a folder (EINVAL).
    guard fsync(folder) == 0 || errno == EINVAL else { throw failure("write") }
  }

  private func failure(_ action: String) -> StoreError {
    StoreError(system: errno, path: target.main, doing: action)
  }
}
