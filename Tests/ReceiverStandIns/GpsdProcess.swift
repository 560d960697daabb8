import Glibc

/// Debian's gpsd as a child process, serving one device at a free port.
final class GpsdProcess {
  static let program = "/usr/sbin/gpsd"
  static let isInstalled = access(program, X_OK) == 0

  private let process: pid_t
  private let log: Int32
  private var unread = ""

  /// Returns when gpsd listens; nil when it does not start.
  init?(port: UInt16, device: String) {
    // gpsd gives up its privileges and then has to open the device as user gpsd.
    chmod(device, 0o666)
    var pipe: [Int32] = [-1, -1]
    precondition(Glibc.pipe(&pipe) == 0)
    for end in pipe { precondition(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 2)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let words = [Self.program, "-N", "-n", "-D", "3", "-S", String(port), device]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var child: pid_t = -1
    let status = posix_spawn(&child, Self.program, &actions, nil, &arguments, environ)
    Glibc.close(pipe[1])
    process = child
    log = pipe[0]
    if status != 0 || !says("listening on port") { return nil }
  }

  deinit {
    if process > 0 {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    Glibc.close(log)
  }

  /// Waits until gpsd's log has these words, from where the last call left off.
  func says(_ words: String) -> Bool {
    while true {
      if let found = unread.firstRange(of: words) {
        unread.removeSubrange(..<found.upperBound)
        return true
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let got = readable(log, within: 10) ? Glibc.read(log, &buffer, buffer.count) : 0
      if got <= 0 { return false }
      unread += String(decoding: buffer.prefix(got), as: UTF8.self)
    }
  }
}
