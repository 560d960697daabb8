import Glibc

/// A child process.
public struct ChildProcess: Sendable {
  /// The treatment of signals. Signals that this program blocks are unblocked in any case.
  public enum Signals: Sendable {
    /// Signals that this program ignores are ignored (nohup).
    case inherited
    /// All signals have their default action.
    case usual
  }

  public enum End: Equatable, Sendable {
    case exit(Int32)
    /// Ended by a signal.
    case killed(Int32)
  }

  public let id: pid_t
  private let leadsGroup: Bool

  /// - Parameters:
  ///   - program: a path, or a name that is searched for along PATH.
  ///   - words: the arguments after the name.
  ///   - name: argument 0; nil: the program's name.
  ///   - environment: variables, each as `NAME=value`; nil: those of this program.
  ///   - descriptors: the child's descriptors, by the child's number. Those without close-on-exec
  ///     are also inherited.
  ///   - leadsGroup: whether the child leads its own process group: a terminal's interrupt does not
  ///     reach the group, and `send` reaches all of it.
  public init(
    _ program: String, _ words: [String], named name: String? = nil,
    environment: [String]? = nil,
    descriptors: [Int32: Int32], signals: Signals = .usual, leadsGroup: Bool = false
  ) throws(SystemError) {
    self.leadsGroup = leadsGroup
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors {
      posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = POSIX_SPAWN_SETSIGMASK | (leadsGroup ? POSIX_SPAWN_SETPGROUP : 0)
    if signals == .usual {
      var all = sigset_t()
      sigfillset(&all)
      posix_spawnattr_setsigdefault(&attributes, &all)
      flags |= POSIX_SPAWN_SETSIGDEF
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([name ?? program] + words).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var variables: [UnsafeMutablePointer<CChar>?] = (environment ?? []).map { strdup($0) } + [nil]
    defer { for variable in variables { free(variable) } }
    var child: pid_t = 0
    let code =
      environment == nil
      ? posix_spawnp(&child, program, &actions, &attributes, &arguments, environ)
      : posix_spawnp(&child, program, &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw SystemError(code: code) }
    id = child
  }

  /// The exit status; nil while it runs. It can be collected once.
  public func end() -> End? { end(WNOHANG) }

  /// Waits for the end, and returns the exit status; nil if it was already collected.
  public func waitForEnd() -> End? { end(0) }

  private func end(_ options: Int32) -> End? {
    var status: Int32 = 0
    var found: pid_t
    repeat { found = waitpid(id, &status, options) } while found < 0 && errno == EINTR
    guard found == id else { return nil }
    // WTERMSIG and WEXITSTATUS are macros, which are not imported.
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .killed(signal)
  }

  /// The exit status; nil while it runs. Until `end` or `waitForEnd` collects it, the id of the
  /// process and of its group is not reused.
  public func peekAtEnd() -> End? {
    var info = siginfo_t()
    var result: Int32
    repeat {
      result = waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT)
    } while result < 0 && errno == EINTR
    guard result == 0, info._sifields._sigchld.si_pid == id else { return nil }
    let status = info._sifields._sigchld.si_status
    return info.si_code == Int32(CLD_EXITED) ? .exit(status) : .killed(status)
  }

  public func send(_ signal: Int32) { kill(leadsGroup ? -id : id, signal) }
}

/// A pipe whose ends a child process inherits only through `descriptors`.
public final class PipeEnds {
  public private(set) var reading: Int32
  public let writing: Int32

  /// Nil: no pipe is available; `SystemError.last` has the cause.
  public init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    // The program is single-threaded, so that no child starts in between.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = ends[1]
  }

  /// The guaranteed capacity of a pipe, below which writing never blocks (pipe(7), PIPE_BUF).
  private static let capacity = 4096

  /// Writes all bytes or none.
  public func write(_ bytes: [UInt8]) -> Bool {
    bytes.count <= Self.capacity && Glibc.write(writing, bytes, bytes.count) == bytes.count
  }

  /// The read end, which the caller owns from now on.
  /// - Parameter waits: whether reading blocks until there is data.
  public func releaseReadEnd(waits: Bool = false) -> Int32 {
    defer { reading = -1 }
    if !waits { _ = fcntl(reading, F_SETFL, O_NONBLOCK) }
    return reading
  }

  deinit {
    if reading >= 0 { close(reading) }
    close(writing)
  }
}
