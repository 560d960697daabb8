import Glibc
import Analysis
import Core
import Platform

/// What runs during one run of a condition, and all that it has started.
final class TestLoad {
  /// So long it has to end by itself when it is told to.
  private static let patience: Seconds = 10
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

  /// One that has failed was not what the run should have measured; one that has ended well has set
  /// something up.
  func check() throws(CommandError) {
    guard let end = child?.peekAtEnd() else { return }
    let how: String
    switch end {
    case .exit(0): return
    case .exit(let code): how = "ended with exit code \(code)"
    case .killed(let signal): how = "was killed by signal \(signal)"
    }
    throw .failed(
      "\(title): its command \(how) before the run was over, and what it has printed is in "
        + "\(log); the same command goes on with this step. A protocol that has to be mended takes "
        + "another folder")
  }

  func end() {
    guard let child else { return }
    self.child = nil
    child.send(SIGTERM)
    // What it has left behind gets a moment; it itself as long as it takes, within bounds.
    let deadline = BootClock.now + (child.peekAtEnd() == nil ? Self.patience : Self.moment)
    repeat {
      BootClock.wait(until: BootClock.now + 0.02)
    } while child.peekAtEnd() == nil && BootClock.now < deadline
    child.send(SIGKILL)
    _ = child.waitForEnd()
    folder.forgetLoad()
  }
}
