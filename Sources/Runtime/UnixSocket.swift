import Ports
import Platform
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// Unix domain sockets, as far as the daemon and its clients need them.
enum UnixSocket {
  private static func address(_ path: String) throws(PortError) -> UnixAddress {
    guard let address = UnixAddress(path: path) else {
      throw PortError(
        "\(path): the path of a socket must have 1 to \(UnixAddress.maxPathLength) bytes; set a "
          + "shorter control.socket")
    }
    return address
  }

  /// A socket on which no call blocks, or none for longer than `timeout`.
  static func new(timeout: Seconds = 0) throws(PortError) -> Int32 {
    let blocking = timeout > 0 ? 0 : SOCK_NONBLOCK.rawValue
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | blocking), 0)
    guard descriptor >= 0 else { throw PortError("socket: \(SystemError.last.text)") }
    let microseconds = Int(timeout.value * 1e6)
    var limit = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    for option in [SO_SNDTIMEO, SO_RCVTIMEO] where timeout > 0 {
      setsockopt(
        descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    return descriptor
  }

  /// - Returns: nil if the descriptor is connected.
  static func connect(_ descriptor: Int32, to path: String) throws(PortError) -> SystemError? {
    try address(path).connect(descriptor)
  }

  /// Binds and listens. A socket file that a dead daemon left behind is replaced. A live one, or
  /// any other file, is left alone.
  static func listen(
    path: String
  ) throws(PortError) -> (descriptor: Int32, file: SocketFile) {
    try SocketFile.alone(inFolderOf: path) {
      () throws(PortError) -> (descriptor: Int32, file: SocketFile) in
      try makeRoom(at: path)
      return try bound(to: path)
    }
  }

  private static func makeRoom(at path: String) throws(PortError) {
    let found = try SocketFile.inspect(at: path)
    if found == .nothing { return }
    let probe = try new()
    defer { close(probe) }
    let failure = try connect(probe, to: path)
    // EAGAIN: it listens, but its queue is full.
    guard let failure, failure.code != EAGAIN else {
      throw PortError.busy(
        "\(path): another godwit answers there; stop it, or set control.socket")
    }
    switch found {
    case .nothing: break
    case .other(let what):
      throw PortError(
        "\(path): \(what) exists there, and is not touched; set control.socket to another path")
    case .socket(let file):
      // Refused: no process listens on it. A connection to any other file is refused as well.
      guard failure.code == ECONNREFUSED else {
        throw PortError(
          "\(path): the existing socket cannot be checked for another daemon "
            + "(\(failure.text)); remove it, or set control.socket")
      }
      file.remove(at: path)
    }
  }

  private static func bound(
    to path: String
  ) throws(PortError) -> (descriptor: Int32, file: SocketFile) {
    let address = try address(path)
    let descriptor = try new()
    let previous = umask(0o117)
    let failure = address.bind(descriptor)
    umask(previous)
    if let failure {
      close(descriptor)
      throw PortError(
        "\(path): \(failure.text); the directory of control.socket must "
          + "exist and be writable by the daemon")
    }
    // fstat(2) of the descriptor describes the socket, not its file.
    guard case .socket(let file)? = try? SocketFile.inspect(at: path) else {
      close(descriptor)
      throw PortError("\(path): the socket was removed as soon as it was created; try again")
    }
    guard Glibc.listen(descriptor, 8) == 0 else {
      let why = SystemError.last.text
      file.remove(at: path)
      close(descriptor)
      throw PortError("\(path): cannot listen there: \(why)")
    }
    return (descriptor, file)
  }

  /// Gives the socket to a group.
  static func setGroup(_ path: String, to group: String) throws(PortError) {
    guard let entry = getgrnam(group) else {
      throw PortError("control.group: there is no group '\(group)'; create it with addgroup")
    }
    // A link that has taken its place is not followed.
    guard lchown(path, uid_t.max, entry.pointee.gr_gid) == 0 else {
      let why = SystemError.last.text
      throw PortError("\(path): cannot be assigned to group '\(group)': \(why)")
    }
  }
}
