import CLinux
import Glibc
import Platform
import Ports
import Core

/// The user's command, run once for one notice, in the process that systemd has started for it.
public struct CommandRun {
  /// How long a command may take to end after SIGTERM.
  public static let defaultTerminationTime: Seconds = 5

  private let words: [String]
  private let limit: Seconds
  private let terminationTime: Seconds

  /// Nil if the settings name no command.
  ///
  /// - Parameter timeout: nil: the one in the settings.
  public init?(
    _ settings: AlertCommandSettings, timeout: Seconds? = nil,
    terminationTime: Seconds = defaultTerminationTime
  ) {
    guard !settings.words.isEmpty else { return nil }
    words = settings.words
    limit = timeout ?? settings.timeout
    self.terminationTime = terminationTime
  }

  public var program: String { words[0] }

  /// Runs the command and waits for its end. Its process group is killed with it; processes that
  /// left the group end with systemd's unit.
  ///
  /// Nothing in the notice is evaluated: there is no shell, and the facts are variables.
  public func run(in environment: CommandEnvironment) -> NoticeOutcome.Result {
    let child: ChildProcess
    do throws(SystemError) {
      child = try start(environment)
    } catch {
      return .failed(explain(error))
    }
    let ended = pidfd_open(child.id, 0)
    guard ended >= 0 else {
      let why = SystemError.last.text
      child.send(SIGKILL)
      _ = child.waitForEnd()
      return .failed("\(program) was ended immediately: it cannot be waited for (\(why))")
    }
    defer { close(ended) }
    let isInTime = BootClock.wait(for: ended, until: BootClock.now + limit)
    var obeys = true
    if !isInTime {
      child.send(SIGTERM)
      obeys = BootClock.wait(for: ended, until: BootClock.now + terminationTime)
    }
    // The whole group. Its number is not reused until the child has been reaped.
    child.send(SIGKILL)
    let end = child.waitForEnd()
    guard isInTime else {
      let how = obeys ? "ended" : "killed, because it did not end by itself,"
      return .failed("\(program) was \(how) after \(limit.inWords) (alerts.command_timeout_s)")
    }
    switch end {
    case .exit(let status): return .done(exitStatus: Int(status))
    case .killed(let signal): return .failed("\(program) was ended by signal \(signal)")
    case nil: return .failed("the result of \(program) is unknown")
    }
  }

  /// With empty input, and with the output of this process: the journal.
  private func start(_ environment: CommandEnvironment) throws(SystemError) -> ChildProcess {
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else { throw SystemError.last }
    defer { close(nothing) }
    return try ChildProcess(
      program, Array(words.dropFirst()), environment: environment.variables,
      descriptors: [STDIN_FILENO: nothing], leadsGroup: true)
  }

  private func explain(_ error: SystemError) -> String {
    switch error.code {
    case ENOENT:
      let advice =
        program.contains(" ")
        ? "write each argument separately: command = [\"/path/of/program\", \"argument\"]"
        : "the program, or the interpreter in its first line (#!), does not exist"
      return "\(program) cannot be started: \(advice)"
    case EACCES:
      let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
      return
        "\(program) cannot be started: \(user ?? "this user") may not run it; run chmod a+rx on "
        + "it, and a+x on its folders, or set User= with systemctl edit godwit-alert@.service"
    case ENOEXEC:
      return "\(program) cannot be started: it is neither a program for this machine nor a script, "
        + "whose first line would be #!/bin/sh"
    default: return "\(program) cannot be started: \(error.text)"
    }
  }
}
