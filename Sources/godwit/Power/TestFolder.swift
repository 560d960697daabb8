import Config
import Glibc
import Laboratory
import Notation
import Platform
import Quantities
import VirtualDevice

/// The folder of one test: its protocol, a recording for each step that is complete, the report.
struct TestFolder {
  let path: String

  /// Makes the folder, or finds that it holds this very test.
  init(_ path: String, of test: SettingsFile) throws {
    self.path = path
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw CommandError.failed(FileFailure("make", path, code: errno).description)
    }
    let copy = "\(path)/protocol.toml"
    guard FileStatus(path: copy) == nil else {
      guard (try? SystemFiles.bytes(of: copy, atMost: test.bytes.count + 1)) == test.bytes else {
        throw CommandError.wrongUsage(
          "--out \(path): it holds the test of another protocol (\(copy) differs); name another "
            + "folder")
      }
      return
    }
    let file = try AtomicFile(path: copy)
    try file.write(test.bytes)
    try file.commit()
  }

  func path(of step: TestPlan.Step) -> String { "\(path)/\(step.file).json" }
  func log(of step: TestPlan.Step) -> String { "\(path)/\(step.file).log" }

  /// Recordings appear when they are complete.
  func hasRecording(of step: TestPlan.Step) -> Bool { FileStatus(path: path(of: step)) != nil }

  func files(_ report: PowerReport, _ json: JSONValue) -> ReportFiles {
    ReportFiles(folder: path, report: report, json: json)
  }

  /// What all the recordings say.
  func report(of test: TestProtocol, _ plan: TestPlan) throws -> PowerReport {
    var runs: [String: [RecordedRun]] = [:]
    var (before, after): (RecordedRun?, RecordedRun?)
    for step in plan.steps {
      let run = try NamedRecordings.read(path(of: step))
      switch step.part {
      case .baselineBefore: before = run
      case .baselineAfter: after = run
      case .run(let condition, _): runs[condition.name, default: []].append(run)
      }
    }
    // In the order of the protocol: the first is what the others are compared with.
    let conditions = test.conditions.map {
      TestedCondition(name: $0.name, runs: runs[$0.name] ?? [])
    }
    var doubts: [String] = []
    if let before, let after {
      let drift = BaselineDrift(before: before, after: after, maxPercent: test.maxDriftPercent)
      doubts += [drift.doubt].compactMap { $0 }
    }
    var random = SeededRandom(seed: UInt64(test.seed))
    return PowerReport(
      conditions, options: .init(isPaired: true), doubts: doubts, using: &random)
  }
}

/// A report as files in one folder.
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

  /// The first of the files that is one of these; none of them may be replaced.
  func taken(by others: [String]) -> String? {
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
