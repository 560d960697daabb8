import Glibc
import GodwitSettings
import Laboratory
import Notation
import Platform
import Ports
import Quantities

/// Does what a plan says, step after step. What was done before is not done again.
struct TestConductor {
  let test: TestProtocol
  let plan: TestPlan
  let folder: TestFolder
  let monitor: any PowerMonitorPort
  let settings: Settings

  /// - Throws: when interrupted, too: whatever is complete stays for the next time.
  func run() throws {
    Interruption.watch()
    let open = plan.steps.filter { !folder.hasRecording(of: $0) }
    guard !open.isEmpty else { return }
    let done = plan.steps.count - open.count
    if done > 0 { say("\(done) of \(plan.steps.count) steps are there already; going on") }
    if plan.warmUp > 0 {
      say("warming up for \(plan.warmUp.inWords)")
      try wait(plan.warmUp, done: done)
    }
    var left = open.reduce(Seconds.zero) { $0 + $1.settling + $1.duration }
    for (index, step) in open.enumerated() {
      say(
        "\(done + index + 1) of \(plan.steps.count): \(step.title), \(step.duration.inWords); "
          + "the test takes \(left.inWords) more")
      try measure(step, done: done + index)
      left -= step.settling + step.duration
    }
  }

  private func measure(_ step: TestPlan.Step, done: Int) throws {
    let load = step.command.isEmpty ? nil : try TestLoad(step, in: folder)
    defer { load?.end() }
    try wait(step.settling, done: done)
    try load?.check()
    let recording = try PowerRecording(path: folder.path(of: step))
    let session = RecordingSession(
      monitor: monitor, settings: settings,
      interval: test.interval > 0 ? test.interval : nil, limit: step.duration)
    let (statistics, _) = try session.run(into: recording, details: details(of: step))
    if Interruption.isWanted { throw interrupted(done) }
    try load?.check()
    try recording.end(PowerJSON.statistics(statistics))
  }

  private func details(of step: TestPlan.Step) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("name", .string(test.name))]
    if case .run(let condition, let round) = step.part {
      members += [("condition", .string(condition.name)), ("round", .count(round))]
    }
    return [("test", .object(members))]
  }

  private func wait(_ time: Seconds, done: Int) throws {
    BootClock.wait(until: BootClock.now + time, unless: { Interruption.isWanted })
    if Interruption.isWanted { throw interrupted(done) }
  }

  private func interrupted(_ done: Int) -> CommandError {
    .failed(
      "interrupted after \(done) of \(plan.steps.count) steps; the same command goes on with the "
        + "others")
  }

  private func say(_ text: String) {
    var messages = StandardError()
    print("godwit: \(text)", to: &messages)
  }
}

/// What runs during one run of a condition, and all that it has started.
private final class TestLoad {
  /// So long it has to end by itself when it is told to.
  private static let patience: Seconds = 10

  private let title: String
  private let log: String
  private var child: ChildProcess?

  init(_ step: TestPlan.Step, in folder: TestFolder) throws {
    title = step.title
    log = folder.log(of: step)
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
  }

  /// One that has failed was not what the run should have measured; one that has ended well has set
  /// something up.
  func check() throws(CommandError) {
    guard let end = child?.end() else { return }
    child = nil
    let how: String
    switch end {
    case .exit(0): return
    case .exit(let code): how = "ended with exit code \(code)"
    case .killed(let signal): how = "was killed by signal \(signal)"
    }
    throw .failed(
      "\(title): its command \(how) before the run was over, and what it has printed is in "
        + "\(log); mend the protocol and give it another folder")
  }

  func end() {
    guard let child else { return }
    child.send(SIGTERM)
    let deadline = BootClock.now + Self.patience
    while child.end() == nil {
      if BootClock.now > deadline {
        child.send(SIGKILL)
        _ = child.waitForEnd()
        break
      }
      BootClock.wait(until: BootClock.now + 0.02)
    }
    // What the shell had started and did not wait for.
    child.send(SIGKILL)
    self.child = nil
  }
}
