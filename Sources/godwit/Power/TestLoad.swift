import Glibc
import Analysis
import Core
import Platform

/// The command of one run of a condition, with all its child processes.
final class TestLoad {
  /// How long it may take to end after SIGTERM.
  private static let endTimeout: Seconds = 10
  private static let moment: Seconds = 0.2

  private let title: String
  private let log: String
  private let folder: TestFolder
  private var child: ChildProcess?

  init(_ step: TestPlan.Step, in folder: TestFolder) throws {
    title = step.title
    log = folder.log(of: step)
    self.folder = folder
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    let output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    defer { for descriptor in [nothing, output] where descriptor >= 0 { close(descriptor) } }
    guard nothing >= 0, output >= 0 else { throw FileFailure("write", log, code: errno) }
    do throws(SystemError) {
      child = try ChildProcess(
        "sh", ["-c", step.command],
        descriptors: [STDIN_FILENO: nothing, STDOUT_FILENO: output, STDERR_FILENO: output],
        leadsGroup: true)
    } catch {
      throw CommandError.failed("cannot start sh: \(error.text)")
    }
    if let child { try folder.note(load: child.id) }
  }

  /// Checks that the command has not failed: then the run would measure something else. A command
  /// that has ended successfully was a setup.
  func check() throws(CommandError) {
    guard let end = child?.peekAtEnd() else { return }
    let how: String
    switch end {
    case .exit(0): return
    case .exit(let code): how = "ended with exit code \(code)"
    case .killed(let signal): how = "was killed by signal \(signal)"
    }
    throw .failed(
      "\(title): its command \(how) before the run was over; its output is in "
        + "\(log). Run the same command to continue with this step. If you correct the protocol, "
        + "use another folder")
  }

  func end() {
    guard let child else { return }
    self.child = nil
    child.send(SIGTERM)
    // Child processes get a moment to end, the command itself the full timeout.
    let deadline = BootClock.now + (child.peekAtEnd() == nil ? Self.endTimeout : Self.moment)
    repeat {
      BootClock.wait(until: BootClock.now + 0.02)
    } while child.peekAtEnd() == nil && BootClock.now < deadline
    child.send(SIGKILL)
    _ = child.waitForEnd()
    folder.forgetLoad()
  }
}
