import CLinux
import Glibc

/// A program that a test runs beside itself. Killed when the last reference is released.
public final class ChildProcess {
  public let id: pid_t
  /// Readable when the program has ended (pidfd_open(2)).
  public let ended: Int32
  private let output: Int32
  private var collected: [UInt8] = []
  private var status: Int32?

  /// Starts it with standard output and standard error in one pipe; nil when it cannot be started.
  ///
  /// - Parameter room: the capacity of the pipe in bytes; nil: the kernel's 64 kB.
  public init?(
    _ program: String, _ arguments: [String], environment: [String]? = nil, room: Int32? = nil
  ) {
    var pipe: [Int32] = [-1, -1]
    precondition(Glibc.pipe(&pipe) == 0)
    // F_SETPIPE_SZ, fcntl(2)
    if let room { precondition(fcntl(pipe[1], 1031, room) >= room) }
    for end in pipe { precondition(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = (environment ?? []).map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var child: pid_t = -1
    let failure =
      environment == nil
      ? posix_spawn(&child, program, &actions, nil, &words, environ)
      : posix_spawn(&child, program, &actions, nil, &words, &variables)
    Glibc.close(pipe[1])
    id = child
    output = pipe[0]
    ended = failure == 0 ? pidfd_open(child, 0) : -1
    if failure != 0 { return nil }
  }

  deinit {
    if id > 0 && status == nil {
      kill(id, SIGKILL)
      waitpid(id, nil, 0)
    }
    Glibc.close(output)
    if ended >= 0 { Glibc.close(ended) }
  }

  public func signal(_ number: Int32) { kill(id, number) }

  /// All its output since the last call of `says`.
  public var text: String {
    while readable(output, within: 0), receive() {}
    return String(decoding: collected, as: UTF8.self)
  }

  /// Waits until its output contains these words, from where the last call left off.
  public func says(_ words: String, within seconds: Double = 10) -> Bool {
    while true {
      let text = String(decoding: collected, as: UTF8.self)
      if let found = text.firstRange(of: words) {
        collected = Array(text[found.upperBound...].utf8)
        return true
      }
      if !readable(output, within: seconds) || !receive() { return false }
    }
  }

  /// Waits for its end. Its exit code, or minus the signal that killed it; nil if it is still
  /// running.
  public func exitCode(within seconds: Double = 10) -> Int32? {
    if status == nil {
      guard readable(ended, within: seconds) else { return nil }
      var raw: Int32 = 0
      guard waitpid(id, &raw, 0) == id else { return nil }
      status = raw & 0x7f == 0 ? (raw >> 8) & 0xff : -(raw & 0x7f)
    }
    return status
  }

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let got = Glibc.read(output, &buffer, buffer.count)
    collected += buffer.prefix(max(got, 0))
    return got > 0
  }
}
