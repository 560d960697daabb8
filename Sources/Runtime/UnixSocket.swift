import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Unix domain sockets, as far as the daemon and its clients need them.
enum UnixSocket {
  static func address(_ path: String) throws(ControlError) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room, !bytes.isEmpty else {
      throw ControlError(
        "\(path): a socket's path has 1 to \(room - 1) bytes; set a shorter control.socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return address
  }

  /// A socket on which no call blocks, or none for longer than `patience`.
  static func new(patience: Seconds = 0) throws(ControlError) -> Int32 {
    let blocking = patience > 0 ? 0 : SOCK_NONBLOCK.rawValue
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | blocking), 0)
    guard descriptor >= 0 else { throw ControlError("socket: \(String(cString: strerror(errno)))") }
    let microseconds = Int(patience.value * 1e6)
    var limit = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    for option in [SO_SNDTIMEO, SO_RCVTIMEO] where patience > 0 {
      setsockopt(
        descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    return descriptor
  }

  static func connect(_ descriptor: Int32, to path: String) throws(ControlError) -> Int32 {
    var address = try address(path)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return result == 0 ? 0 : errno
  }

  /// Binds and listens. A socket file that a dead daemon left behind is replaced, a live one is
  /// not, and nothing else that lies there is touched.
  static func listen(
    path: String
  ) throws(ControlError) -> (descriptor: Int32, file: SocketFile) {
    try SocketFile.alone(inFolderOf: path) {
      () throws(ControlError) -> (descriptor: Int32, file: SocketFile) in
      try makeRoom(at: path)
      return try bound(to: path)
    }
  }

  private static func makeRoom(at path: String) throws(ControlError) {
    let found = try SocketFile.look(at: path)
    if found == .nothing { return }
    let probe = try new()
    defer { close(probe) }
    let state = try connect(probe, to: path)
    // EAGAIN: it listens, but its queue is full.
    if state == 0 || state == EAGAIN {
      throw ControlError(
        "\(path): another godwit answers there; stop it, or set control.socket", isTaken: true)
    }
    switch found {
    case .nothing: break
    case .other(let what):
      throw ControlError(
        "\(path): \(what) is there, which is left alone; set control.socket to a path of its own")
    case .socket(let file):
      // Refused: no process listens on it. A connection to any other file is refused as well.
      guard state == ECONNREFUSED else {
        throw ControlError(
          "\(path): the socket there cannot be asked whether it is alive "
            + "(\(String(cString: strerror(state)))); remove it, or set control.socket")
      }
      file.remove(at: path)
    }
  }

  private static func bound(
    to path: String
  ) throws(ControlError) -> (descriptor: Int32, file: SocketFile) {
    var bound = try address(path)
    let descriptor = try new()
    let previous = umask(0o117)
    let result = withUnsafePointer(to: &bound) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    let failure = errno
    umask(previous)
    guard result == 0 else {
      close(descriptor)
      throw ControlError(
        "\(path): \(String(cString: strerror(failure))); the directory of control.socket must "
          + "exist and be writable by the daemon")
    }
    // fstat(2) of the descriptor tells of the socket, not of its file.
    guard case .socket(let file)? = try? SocketFile.look(at: path) else {
      close(descriptor)
      throw ControlError("\(path): the socket was removed as soon as it was made; try again")
    }
    guard Glibc.listen(descriptor, 8) == 0 else {
      let why = String(cString: strerror(errno))
      file.remove(at: path)
      close(descriptor)
      throw ControlError("\(path): nobody can be listened to there: \(why)")
    }
    return (descriptor, file)
  }

  /// Gives the socket to a group.
  static func give(_ path: String, to group: String) throws(ControlError) {
    guard let entry = getgrnam(group) else {
      throw ControlError("control.group: there is no group '\(group)'; create it with addgroup")
    }
    // Not through a link that has taken its place.
    guard lchown(path, uid_t.max, entry.pointee.gr_gid) == 0 else {
      let why = String(cString: strerror(errno))
      throw ControlError("\(path): cannot be given to group '\(group)': \(why)")
    }
  }
}
