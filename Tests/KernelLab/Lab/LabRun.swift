import Foundation
import Synchronization

/// The host's side: boots a kernel per scenario and collects the figures.
struct LabRun {
  private var lab = "Tests/KernelLab"
  private var kernel = ""
  private var godwit = ".build/release/godwit"
  private var folder = ".build/kernel-lab"
  private var only: Set<String> = []

  /// - Throws: when an argument is wrong.
  init(_ arguments: [String]) throws {
    var rest = arguments.makeIterator()
    while let name = rest.next() {
      let value = try rest.next().required("\(name) takes a value")
      switch name {
      case "--kernel": kernel = value
      case "--godwit": godwit = value
      case "--folder": folder = value
      case "--only": only.insert(value)
      default:
        throw LabFailure(
          "usage: kernel-lab --kernel FOLDER [--godwit FILE] [--folder FOLDER] "
            + "[--only SCENARIO]..."
        )
      }
    }
    try require(
      FileManager.default.isExecutableFile(atPath: kernel + "/linux"),
      "--kernel \(kernel): give the folder that Tests/KernelLab/build-kernel prints")
    godwit = URL(fileURLWithPath: godwit).standardizedFileURL.path
    try require(
      FileManager.default.isExecutableFile(atPath: godwit), "\(godwit) is not there: build it first"
    )
  }

  func run(_ scenarios: [any Scenario]) throws -> Int32 {
    let started = Date()
    let chosen = scenarios.filter { only.isEmpty || only.contains($0.name) }
    try require(!chosen.isEmpty, "there is no such scenario")
    let outcomes = outcomes(of: chosen)
    let failed = outcomes.compactMap { one in one.failure.map { "\(one.scenario): \($0)" } }
    let seconds = Int(Date().timeIntervalSince(started).rounded())
    let verdict = failed.isEmpty ? "passed" : "FAILED (\(failed.joined(separator: "; ")))"
    print(
      "test-kernel: \(verdict): "
        + (["\(chosen.count - failed.count) of \(chosen.count) scenarios"]
        + outcomes.flatMap(\.headlines) + ["\(seconds) s"]).joined(separator: ", "))
    return failed.isEmpty ? 0 : 1
  }

  /// Real-time scenarios run one after the other. In parallel run the radio scenarios, which mostly
  /// wait for minutes until something counts as silent, and the remaining ones, which compute and
  /// whose simulated time does not depend on the load.
  private func outcomes(of scenarios: [any Scenario]) -> [Outcome] {
    let silent = scenarios.filter(\.isMostlySilence)
    let waiting = Mutex([
      scenarios.filter { !$0.travelsInTime && !$0.isMostlySilence }, silent,
      scenarios.filter(\.travelsInTime),
    ])
    let computing = ProcessInfo.processInfo.activeProcessorCount
    let kinds = [0] + silent.map { _ in 1 } + (0..<computing).map { _ in 2 }
    let outcomes = Mutex([Outcome]())
    let lanes = DispatchGroup()
    for (number, kind) in kinds.enumerated() {
      // Each queue has its own thread, however many wait.
      DispatchQueue(label: "lane \(number)").async(group: lanes) {
        while let scenario = waiting.withLock({ $0[kind].isEmpty ? nil : $0[kind].removeFirst() }) {
          let outcome = outcome(of: scenario)
          outcomes.withLock { $0.append(outcome) }
        }
      }
    }
    lanes.wait()
    return outcomes.withLock { $0 }
  }

  private func outcome(of scenario: any Scenario) -> Outcome {
    let begun = Date()
    let results = Results(folder: folder + "/" + scenario.name)
    let outcome: Outcome
    do {
      outcome = Outcome(
        scenario.name, try figures(of: scenario, results),
        seconds: Date().timeIntervalSince(begun))
    } catch {
      outcome = Outcome(scenario.name, failed: error)
    }
    print(outcome.report)
    // A pipe would buffer the output until the end.
    fflush(nil)
    return outcome
  }

  private func figures(of scenario: any Scenario, _ results: Results) throws -> [Figure] {
    try? FileManager.default.removeItem(atPath: results.folder)
    try FileManager.default.createDirectory(
      atPath: results.folder, withIntermediateDirectories: true)
    let code = try boot(scenario, results)
    if code != 0 {
      throw LabFailure(
        (code == 125 ? "the kernel gave no result" : results.tail("output"))
          + "\n--- the daemon's last words\n\(results.tail("daemon.log"))"
          + "\n--- everything is in \(results.folder)")
    }
    return try results.figures() + scenario.judge(results)
  }

  private func boot(_ scenario: any Scenario, _ results: Results) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: lab + "/boot")
    let own = URL(fileURLWithPath: CommandLine.arguments[0]).standardizedFileURL.path
    process.arguments =
      (scenario.travelsInTime ? ["--time-travel"] : [])
      + ["--limit", String(scenario.limit), kernel, results.folder]
      + ["env", "LAB_GODWIT=\(godwit)", own, "guest", scenario.name]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
