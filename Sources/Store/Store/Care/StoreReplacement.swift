import Platform
import Ports

#if canImport(Glibc)
  import Glibc
#endif

/// Replaces a store by a new file. The store is kept with its log under another name, and a power
/// cut between any two steps costs nothing: a file at either of the two names is always complete.
/// In particular, the store never has a name without its log, because a daemon that starts on it
/// would go on writing in the one file of both names; and no log lies beside a file that it does
/// not belong to.
///
/// If there is no log, the store gets a second name, and the new file replaces it under the first.
/// A log cannot change its place in one step with its store. So the log gets its second name first,
/// then the store moves there, and for a moment no file has the old name: a daemon that creates a
/// store of that name then finds a log of another store, and moves it aside.
struct StoreReplacement {
  enum Step: Equatable {
    /// A second name for a file.
    case link(String, as: String)
    /// A second file with the same content, on file systems without hard links.
    case copy(String, as: String)
    case move(String, to: String)
    case remove(String)
    /// Syncs all earlier steps before any later one: file systems may reorder them.
    case syncFolder
  }

  let steps: [Step]
  private let target: StoreFiles
  private let kept: StoreFiles

  /// - Parameter kept: unused names.
  init(of target: StoreFiles, by draft: String, keepingAs kept: StoreFiles, hasLinks: Bool) {
    self.target = target
    self.kept = kept
    // The index is rebuilt from the log.
    let logs = StoreFiles.sideSuffixes.filter {
      $0 != StoreFiles.indexSuffix && access(target.main + $0, F_OK) == 0
    }
    let last: [Step] = [.move(draft, to: target.main), .syncFolder]
    let removals = target.strays.map { Step.remove($0) }
    if logs.isEmpty, hasLinks {
      steps = removals + [.link(target.main, as: kept.main), .syncFolder] + last
    } else {
      let names = logs.map { (target.main + $0, kept.main + $0) }
      steps =
        names.map { hasLinks ? .link($0, as: $1) : .copy($0, as: $1) }
        + [.syncFolder, .move(target.main, to: kept.main), .syncFolder] + removals + [.syncFolder]
        + last
    }
  }

  /// Whether the file system has hard links; FAT, for one, has none.
  static func hasLinks(beside path: String) -> Bool {
    let second = path + ".link"
    guard link(path, second) == 0 else { return false }
    unlink(second)
    return true
  }

  /// - Parameter syncFolder: syncs the names in a folder to the disk.
  /// - Returns: why the new names may not survive a power cut; nil if they do.
  func perform(
    _ syncFolder: (String) -> SystemError? = FileSystem.sync(folder:)
  ) throws(PortError) -> SystemError? {
    var failure: SystemError?
    for step in steps {
      do {
        try perform(step)
      } catch {
        throw undo(error)
      }
      if step == .syncFolder { failure = syncFolder(target.folder) ?? failure }
    }
    return failure
  }

  /// One step, except syncing.
  func perform(_ step: Step) throws(SystemError) {
    let isDone =
      switch step {
      case .link(let old, let new): link(old, new) == 0
      case .copy(let old, let new): Self.copy(old, new)
      case .move(let old, let new): rename(old, new) == 0
      case .remove(let name): unlink(name) == 0 || errno == ENOENT
      case .syncFolder: true
      }
    guard isDone else { throw SystemError.last }
  }

  /// As long as the store has its name, it is unchanged.
  private func undo(_ failure: SystemError) -> PortError {
    guard target.isThere else {
      return .failed(
        "cannot replace the store \(target.main): \(failure.text); the previous one is "
          + "\(kept.main): rename it to its old name, and its log, too")
    }
    for name in kept.all { unlink(name) }
    return PortError(system: failure.code, path: target.main, doing: "replace")
  }

  private static func copy(_ old: String, _ new: String) -> Bool {
    let source = open(old, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { return false }
    defer { close(source) }
    let made = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard made >= 0 else { return false }
    defer { close(made) }
    while true {
      let count = sendfile(made, source, nil, 1 << 20)
      guard count > 0 else { return count == 0 && fsync(made) == 0 }
    }
  }
}
