import Glibc

/// Another program that this one has started.
public struct ChildProcess: Sendable {
  /// Signals that this program holds back come through to the other one in any case.
  public enum Signals: Sendable {
    /// What this program ignores, the other one ignores too (nohup).
    case inherited
    /// All do what they do by default.
    case usual
  }

  public enum End: Equatable, Sendable {
    case exit(Int32)
    /// By a signal.
    case killed(Int32)
  }

  public let id: pid_t
  private let leadsGroup: Bool

  /// - Parameters:
  ///   - program: a path, or a name that is looked for along PATH.
  ///   - words: its arguments after its own name.
  ///   - name: its own name; nil: the program's.
  ///   - environment: its variables, each as `NAME=value`; nil: those of this program.
  ///   - descriptors: what it gets, by the number that it gets it as. Those that are not closed at
  ///     the start of a program it shares.
  ///   - leadsGroup: whether it and all that it starts are a group of their own: a terminal's
  ///     interrupt does not reach them, and `send` reaches them all.
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

  /// How it has ended; nil while it runs. It can be asked for once.
  public func end() -> End? { end(WNOHANG) }

  /// The same, as soon as it has; nil if that was taken already.
  public func waitForEnd() -> End? { end(0) }

  private func end(_ options: Int32) -> End? {
    var status: Int32 = 0
    var found: pid_t
    repeat { found = waitpid(id, &status, options) } while found < 0 && errno == EINTR
    guard found == id else { return nil }
    // WTERMSIG and WEXITSTATUS are macros.
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .killed(signal)
  }

  /// How it has ended; nil while it runs. Until `end` or `waitForEnd` takes that, its number, and
  /// that of its group, are nobody else's.
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

/// A pipe whose ends another program does not get but by `descriptors`.
public final class PipeEnds {
  public private(set) var reading: Int32
  public let writing: Int32

  /// Nil: there is none to be had; `SystemError.last` says why.
  public init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    // One thread: no other program is started in between.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = ends[1]
  }

  /// What every pipe holds, so that writing it never waits (pipe(7), PIPE_BUF).
  private static let capacity = 4096

  /// All of it or nothing.
  public func write(_ bytes: [UInt8]) -> Bool {
    bytes.count <= Self.capacity && Glibc.write(writing, bytes, bytes.count) == bytes.count
  }

  /// The end to read from, which is the caller's from now on.
  /// - Parameter waits: whether reading it waits for something to read.
  public func takeReading(waits: Bool = false) -> Int32 {
    defer { reading = -1 }
    if !waits { _ = fcntl(reading, F_SETFL, O_NONBLOCK) }
    return reading
  }

  deinit {
    if reading >= 0 { close(reading) }
    close(writing)
  }
}
