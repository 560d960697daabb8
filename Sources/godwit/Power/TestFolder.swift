import Config
import Glibc
import Analysis
import Core
import Platform
import VirtualDevice

/// The folder of one test: its protocol, a recording for each completed step, and the report.
struct TestFolder {
  let path: String

  /// An existing folder of a test.
  init(holdingTest path: String) { self.path = path }

  /// The completed recordings of the first monitor if the path is the folder of a test; any other
  /// path is returned itself.
  static func recordings(in path: String) throws -> [String] {
    guard FileStatus(path: path)?.kind == .directory else { return [path] }
    let test = try WrittenTest(protocolFile(in: path))
    let folder = TestFolder(holdingTest: path)
    return test.plan.steps.filter { folder.hasRecording(of: $0) }.map { folder.path(of: $0) }
  }

  static func protocolFile(in folder: String) -> String { "\(folder)/protocol.toml" }

  /// Creates the folder, or checks that it contains this test.
  init(_ path: String, of test: SettingsFile) throws {
    self.path = path
    try OutputFolder.make(path)
    try Self.lock(path)
    let copy = Self.protocolFile(in: path)
    guard FileStatus(path: copy) == nil else {
      guard (try? SystemFiles.bytes(of: copy, atMost: test.bytes.count + 1)) == test.bytes else {
        throw CommandError.wrongUsage(
          "--out \(path): it contains the test of another protocol (\(copy) differs); name another "
            + "folder")
      }
      return
    }
    let others = SystemFiles.names(in: path).filter { $0 != "." && $0 != ".." }
    guard others.isEmpty else {
      throw CommandError.wrongUsage(
        "--out \(path): it contains \(TerminalText.line(others.sorted()[0])) and no test; name a "
          + "new folder, so that no file is replaced")
    }
    let file = try AtomicFile(path: copy)
    try file.write(test.bytes)
    try file.commit()
  }

  /// Two tests in one folder would disturb each other. The lock is released when the program ends.
  private static func lock(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure("read", path, code: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    throw CommandError.failed("--out \(path): another godwit power test uses this folder")
  }

  func path(of step: TestPlan.Step) -> String { "\(path)/\(step.file).json" }
  /// The recording of the second monitor.
  func pathBeside(_ step: TestPlan.Step) -> String { "\(path)/\(step.file).beside.json" }
  func events(of step: TestPlan.Step) -> String {
    LabelledRecordings.events(of: path(of: step))
  }
  func log(of step: TestPlan.Step) -> String { "\(path)/\(step.file).log" }

  /// Recordings appear when they are complete.
  func hasRecording(of step: TestPlan.Step) -> Bool { FileStatus(path: path(of: step)) != nil }

  /// Records the monitors of the test, or checks that they are these.
  func claim(_ monitors: [String]) throws {
    let path = "\(path)/monitors.json"
    let bytes = Array((JSONValue.array(monitors.map { .string($0) }).text + "\n").utf8)
    guard FileStatus(path: path) == nil else {
      guard (try? SystemFiles.bytes(of: path, atMost: 1 << 16)) == bytes else {
        throw CommandError.wrongUsage(
          "--out \(self.path): its test uses other monitors (\(path)); continue with the same "
            + "settings and --beside, or name another folder")
      }
      return
    }
    let file = try AtomicFile(path: path)
    try file.write(bytes)
    try file.commit()
  }

  func files(_ report: PowerReport, _ json: JSONValue) -> ReportFiles {
    ReportFiles(folder: path, report: report, json: json)
  }

  private var loadFile: String { "\(path)/load.json" }

  /// Records the process group of a run's command, because it outlives a killed program.
  func note(load group: pid_t) throws {
    let json = JSONValue.object([
      ("process_group", .count(Int(group))), ("boot", .text(RunningSystem.bootID)),
    ])
    let file = try AtomicFile(path: loadFile)
    try file.write(Array((json.text + "\n").utf8))
    try file.commit()
  }

  func forgetLoad() { unlink(loadFile) }

  /// A process left by a killed test would be measured with every condition.
  func refuseLeftLoad() throws {
    guard let bytes = try? SystemFiles.bytes(of: loadFile, atMost: 4096),
      let json = try? JSONValue(parsing: bytes), let group = json["process_group"]?.integer,
      group > 1, json["boot"]?.string == RunningSystem.bootID
    else { return }
    guard kill(-pid_t(truncatingIfNeeded: group), 0) == 0 || errno == EPERM else { return }
    throw CommandError.failed(
      "a process that this test had started still runs, because the test was killed: "
        + "end it (kill -- -\(group)), or remove \(loadFile) if it is another process")
  }

  /// The report on all recordings, including those of a second monitor.
  func report(of test: TestProtocol, _ plan: TestPlan) throws -> PowerReport {
    let main = try conditions(test, plan) { path(of: $0) }
    var conditions = main.conditions
    var baselines = [main.baseline]
    if plan.steps.contains(where: { FileStatus(path: pathBeside($0)) != nil }) {
      let beside = try self.conditions(test, plan) { pathBeside($0) }
      conditions = named(main.conditions, otherThan: beside.conditions)
      conditions += named(beside.conditions, otherThan: main.conditions)
      baselines.append(beside.baseline)
    }
    var random = SeededRandom(seed: UInt64(test.seed))
    return PowerReport(
      conditions, options: .init(isPaired: true),
      of: .init(
        name: test.name, about: test.about, baselines: baselines.compactMap { $0 }),
      using: &random)
  }

  /// Named by what the monitor measures, or by the monitor if both measure the same.
  private func named(
    _ conditions: [TestedCondition], otherThan others: [TestedCondition]
  ) -> [TestedCondition] {
    let details = conditions.first?.runs.first?.details
    let other = others.first?.runs.first?.details
    let channel = details?.scope == other?.scope ? details?.monitor : details?.scope
    return conditions.map {
      TestedCondition(name: $0.name, channel: channel ?? "unknown monitor", runs: $0.runs)
    }
  }

  /// - Parameter path: returns the path of a step's recording by one of the monitors.
  private func conditions(
    _ test: TestProtocol, _ plan: TestPlan, path: (TestPlan.Step) -> String
  ) throws -> (conditions: [TestedCondition], baseline: BaselineDrift?) {
    var runs: [String: [RecordedRun]] = [:]
    var (before, after): (RecordedRun?, RecordedRun?)
    for step in plan.steps {
      let run = try LabelledRecordings.read(path(step), eventsOf: self.path(of: step))
      switch step.part {
      case .baselineBefore: before = run
      case .baselineAfter: after = run
      case .run(let condition, _): runs[condition.name, default: []].append(run)
      }
    }
    let baseline = before.flatMap { before in
      after.map {
        BaselineDrift(before: before, after: $0, maxPercent: test.maxDriftPercent)
      }
    }
    // In the order of the protocol: the first is the reference.
    let conditions = test.conditions.map {
      TestedCondition(name: $0.name, runs: runs[$0.name] ?? [])
    }
    return (conditions, baseline)
  }
}

/// The files of a report in one folder.
struct ReportFiles {
  let folder: String
  let report: PowerReport
  let json: JSONValue

  private var files: [(path: String, bytes: [UInt8])] {
    [
      ("report.html", report.page), ("charge.svg", report.chart.file),
      ("charge.csv", report.chartData), ("report.json", Array((json.text + "\n").utf8)),
    ].map { ("\(folder)/\($0)", $1) }
  }

  /// The first of the report's files that is among the others, none of which may be overwritten.
  func conflict(by others: [String]) -> String? {
    let read = Set(others.compactMap { FileIdentity(path: $0) })
    return files.map(\.path).first { FileIdentity(path: $0).map(read.contains) ?? false }
  }

  func write() throws {
    for (path, bytes) in files {
      let file = try AtomicFile(path: path)
      try file.write(bytes)
      try file.commit()
    }
  }
}
