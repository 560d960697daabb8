import Glibc
import Config
import GodwitSettings
import Analysis
import Core
import Platform
import Ports

/// A monitor that a test reads, with the settings that describe it.
struct TestedChannel {
  let monitor: any PowerMonitorPort
  let configuration: Configuration<Settings>
}

/// Performs a plan step by step. Completed steps are not repeated, and incomplete recordings are
/// kept.
struct TestRunner {
  /// The timeout of a silent monitor, if that is longer than five readings.
  private static let silenceTimeout: Seconds = 10

  let test: TestProtocol
  let plan: TestPlan
  let folder: TestFolder
  let channel: TestedChannel
  /// A second monitor, read at the same time.
  let beside: TestedChannel?
  let events: EventRecording

  init(
    _ test: TestProtocol, _ plan: TestPlan, in folder: TestFolder, _ channel: TestedChannel,
    beside: TestedChannel?
  ) {
    self.test = test
    self.plan = plan
    self.folder = folder
    self.channel = channel
    self.beside = beside
    events = EventRecording(
      socket: test.socket.isEmpty ? channel.configuration.settings.control.socket : test.socket)
  }

  /// - Throws: also when interrupted; completed steps are kept for the next run.
  func run() throws {
    Interruption.watch()
    try folder.refuseLeftLoad()
    let open = plan.steps.filter { !folder.hasRecording(of: $0) }
    guard !open.isEmpty else { return }
    let done = plan.steps.count - open.count
    if done > 0 { say("\(done) of \(plan.steps.count) steps are done already; continuing") }
    if plan.warmUp > 0 {
      say("warming up for \(plan.warmUp.inWords)")
      try wait(plan.warmUp, done: done)
    }
    var left = open.reduce(Seconds.zero) { $0 + $1.settling + $1.duration }
    for (index, step) in open.enumerated() {
      say(
        "\(done + index + 1) of \(plan.steps.count): \(step.title), \(step.duration.inWords); "
          + "\(left.inWords) of the test left")
      try measure(step, done: done + index)
      left -= step.settling + step.duration
    }
    if let why = events.failureText {
      say("no daemon has reported the receiver's states, so there is no charge by state: \(why)")
    }
  }

  private func measure(_ step: TestPlan.Step, done: Int) throws {
    let load = step.command.isEmpty ? nil : try TestLoad(step, in: folder)
    defer { load?.end() }
    try wait(step.settling, done: done)
    try load?.check()
    let session = RecordingSession(
      monitor: channel.monitor, interval: interval(of: step), limit: step.duration)
    let readings = try recording(of: channel, step, folder.path(of: step), session.step)
    let others = try beside.map {
      try recording(of: $0, step, folder.pathBeside(step), session.step)
    }
    let all = [readings, others].compactMap { $0 }
    do {
      try events.begin(folder.events(of: step))
      try session.run(readings) {
        try events.poll()
        try others?.read()
        for readings in all {
          try Self.check(readings, after: max(Self.silenceTimeout, session.step * 5))
        }
      }
      if Interruption.isWanted { throw interrupted(done) }
      try load?.check()
      for readings in all { try Self.check(readings, after: max(1, session.step * 3)) }
      try events.end()
      // The file that marks the step as complete is written last.
      for readings in all.reversed() { _ = try readings.end() }
    } catch {
      for readings in all { readings.giveUp() }
      throw error
    }
  }

  /// Nil: at the monitor's conversion rate.
  private func interval(of step: TestPlan.Step) -> Seconds? {
    if step.interval > 0 { return step.interval }
    return beside.map { RecordingSession.fastest(of: [channel.monitor, $0.monitor]) }
  }

  private func recording(
    of channel: TestedChannel, _ step: TestPlan.Step, _ path: String, _ interval: Seconds
  ) throws -> RecordedReadings {
    let provenance = Provenance(kind: .real, configuration: channel.configuration).json
    return RecordedReadings(
      of: channel.monitor, channel.configuration.settings, interval: interval,
      into: try PowerRecording(keepingPartsOf: path),
      details: details(of: step) + [("provenance", provenance)])
  }

  /// A monitor that fails ends the test; the remaining steps are left for the next run.
  private static func check(
    _ readings: RecordedReadings, after timeout: Seconds
  ) throws(CommandError) {
    guard readings.silence > timeout else { return }
    throw .failed(
      "\(readings.failureText): it has not answered for \(readings.silence.inWords). The "
        + "recording of this step is kept in its .partial file; run the same command to continue "
        + "with the remaining steps")
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
      "interrupted after \(done) of \(plan.steps.count) steps; run the same command to continue "
        + "with the others")
  }

  private func say(_ text: String) {
    var messages = StandardError()
    print("godwit: \(text)", to: &messages)
  }
}
