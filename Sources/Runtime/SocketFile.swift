#if canImport(Glibc)
  import Glibc
#endif

/// The file by which clients find a socket. It is known by its device and inode, so that only the
/// one that was meant is ever removed.
///
/// unlink(2) goes by the name alone, and no call removes a file only if it is a certain one: a file
/// that takes the name between the last look and the removal would go instead. Daemons of this
/// program keep each other out of that gap by a lock on the folder (`alone`). Another program that
/// may write there can still fall into it, for some microseconds.
struct SocketFile: Equatable {
  private let device: dev_t
  private let inode: ino_t

  enum Finding: Equatable {
    case nothing
    case socket(SocketFile)
    /// Something else, in words: "a regular file".
    case other(String)
  }

  /// What lies there; a symbolic link counts as itself.
  static func look(at path: String) throws(ControlError) -> Finding {
    var entry = stat()
    guard lstat(path, &entry) == 0 else {
      if errno == ENOENT { return .nothing }
      throw ControlError(
        "\(path): \(String(cString: strerror(errno))); the directory of control.socket must exist "
          + "and be open to the daemon")
    }
    let kind = entry.st_mode & S_IFMT
    guard kind == S_IFSOCK else { return .other(Self.words(kind)) }
    return .socket(SocketFile(device: entry.st_dev, inode: entry.st_ino))
  }

  /// Removes it if it is still what lies there. While a socket is bound to it the kernel keeps its
  /// inode (unix_bind_bsd in af_unix.c), so that no later file can pass for it: remove it before
  /// the socket is closed.
  func remove(at path: String) {
    if (try? Self.look(at: path)) == .socket(self) { unlink(path) }
  }

  /// Runs `body` while no other daemon of this program makes or removes a socket in that folder.
  /// A folder that cannot be read, or that somebody else keeps locked, is done without.
  static func alone<Result>(
    inFolderOf path: String, _ body: () throws(ControlError) -> Result
  ) throws(ControlError) -> Result {
    let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    for _ in 0..<lockAttempts where folder >= 0 {
      if flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { break }
      poll(nil, 0, lockPause)
    }
    return try body()
  }

  /// Others hold the lock for microseconds; one second at most is waited for somebody who does not.
  private static let lockAttempts = 50
  private static let lockPause: Int32 = 20  // ms

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func words(_ kind: mode_t) -> String {
    switch kind {
    case S_IFREG: "a regular file"
    case S_IFDIR: "a directory"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a named pipe"
    default: "a device"
    }
  }
}
