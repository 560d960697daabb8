import Ports
import Platform
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// The file by which clients find a socket. It is identified by its device and inode, so that no
/// other file is removed.
///
/// unlink(2) uses the name alone, and no call removes a file only if it is a certain one: a file
/// that takes the name between the check and the removal would be removed instead. Daemons of this
/// program exclude each other from that gap by a lock on the folder (`alone`). Another program with
/// write access can still fall into it, for some microseconds.
struct SocketFile: Equatable {
  private let identity: FileIdentity

  enum Finding: Equatable {
    case nothing
    case socket(SocketFile)
    /// Another kind of file, in words: "a regular file".
    case other(String)
  }

  /// What is at the path; a symbolic link is not followed.
  static func inspect(at path: String) throws(PortError) -> Finding {
    guard let status = FileStatus(path: path, followsLinks: false) else {
      let failure = SystemError.last
      if failure.code == ENOENT { return .nothing }
      throw PortError(
        "\(path): \(failure.text); the directory of control.socket must exist "
          + "and be open to the daemon")
    }
    guard status.kind == .socket else { return .other(Self.description(of: status.kind)) }
    return .socket(SocketFile(identity: status.identity))
  }

  /// Removes the socket if it is still at the path. While a socket is bound to it the kernel keeps
  /// its inode (unix_bind_bsd in af_unix.c), so that no later file can be mistaken for it: remove
  /// it before the socket is closed.
  func remove(at path: String) {
    if (try? Self.inspect(at: path)) == .socket(self) { unlink(path) }
  }

  /// Runs `body` while no other daemon of this program creates or removes a socket in that folder.
  /// If the folder cannot be read, or another program keeps it locked, `body` runs without the
  /// lock.
  static func alone<Result>(
    inFolderOf path: String, _ body: () throws(PortError) -> Result
  ) throws(PortError) -> Result {
    let folder = open(PathParts(path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    for _ in 0..<lockAttempts where folder >= 0 {
      if flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { break }
      BootClock.wait(until: BootClock.now + lockPause)
    }
    return try body()
  }

  /// Daemons hold the lock for microseconds. Any other holder is waited for one second at most.
  private static let lockAttempts = 50
  private static let lockPause = Seconds(0.02)

  private static func description(of kind: FileStatus.Kind) -> String {
    switch kind {
    case .regular: "a regular file"
    case .directory: "a directory"
    case .symbolicLink: "a symbolic link"
    case .pipe: "a named pipe"
    case .socket: "a socket"
    case .characterDevice, .blockDevice: "a device"
    }
  }
}
