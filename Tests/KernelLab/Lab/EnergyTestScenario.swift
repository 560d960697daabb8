import Foundation
import Core
import ReceiverStandIns

/// `godwit power test` for a day beside a daemon, with the INA226's driver and simulated currents
/// that vary within their states. The charge of each state must equal the registers' while the
/// receiver was in it. The clock is set in the middle.
struct EnergyTestScenario: Scenario {
  let name = "energy-test"
  let limit = 900

  /// 24 runs of an hour minus the settling time.
  private static let test = """
    [test]
    name = "orders"
    rounds = 8
    warm_up_s = 0
    baseline_s = 0
    settle_s = 60
    duration_s = 3480
    interval_s = 1
    socket = "\(GuestDaemon.socket)"
    # Other runs than the receiver's rest stand between them.
    [[condition]]
    name = "off"
    run = "\(order("off"))"
    [[condition]]
    name = "on"
    run = "\(order("on"))"
    [[condition]]
    name = "in turns"
    run = "while true; do \(order("on")); sleep 413; \(order("off")); sleep 289; done"

    """

  private static func order(_ state: String) -> String {
    "\(Bench.godwit) gnss \(state) --socket \(GuestDaemon.socket)"
  }

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: [
      "--look", "60", "--swing", "0.1", "--off-mA", "2.1", "--acquiring-mA", "41.3",
      "--tracking-mA", "36.8", "--cold-start", "90", "--warm-start", "90", "--hot-start", "90",
    ])
    let daemon = try GuestDaemon(["policy.name=periodic", "policy.periodic.interval_s=86400"])
    try bench.wait("the daemon's answer", for: 10) { daemon.answer("state") != nil }
    let test = try EnergyTest(Self.test)
    sleep(40_000)
    try tool("date", "-u", "-s", "2026-06-01 00:00:00")
    let code = try test.exitCode(within: 60_000)
    try require(code == 0, "power test: exit code \(code): \(test.words)")
    try daemon.stop()
    try bench.keepEvidence()
    return []
  }

  func judge(_ results: Results) throws -> [Figure] {
    let receiver = try results.receiver()
    let report = try JSONValue(parsing: Array(results.text("energy/report.json").utf8))
    let conditions = try (report["conditions"]?.array).required("the report has no conditions")
    let stretches = try receiver.stretches(from: 0, until: 200_000)
    var figures = [
      Figure(
        "trusted", report["trusted"]?.bool == true ? 1 : 0, atLeast: 1),
      Figure("conditions", Double(conditions.count), atMost: 3, atLeast: 3),
    ]
    var worst = 0.0
    var (all, played, charged) = (0.0, 0.0, 0.0)
    for condition in conditions {
      let name = try (condition["name"]?.string).required("a condition has no name")
      let runs = try recordings(of: condition, results)
      all += runs.map(\.length).reduce(0, +)
      for state in condition["states"]?.array ?? [] {
        let word = try (state["state"]?.string).required("a state has no name")
        let here = stretches.filter { $0.state == word }
        let truth = runs.map { run in here.map { $0.registerJoules(within: run) }.reduce(0, +) }
          .reduce(0, +)
        let told = state["energy_J"]?.number ?? .nan
        let error = (told / truth - 1) * 100
        let periods = state["periods"]?.number ?? .nan
        let isLong = (state["measured_duration_s"]?.number ?? .nan) / periods >= 60
        if isLong { worst = max(worst, abs(error)) }
        figures.append(
          Figure("\(name), \(word): error", error, "%", within: isLong ? 0.1 : 2))
      }
      played += runs.map { run in stretches.map { $0.joules(within: run) }.reduce(0, +) }
        .reduce(0, +)
      charged += condition["energy_J"]?.number ?? .nan
    }
    return figures + [
      Figure("recorded", all, "s", atLeast: 80_000),
      Figure(
        "worst attribution error of states of a minute and more", worst, "%", atMost: 0.1,
        isHeadline: true),
      // Half a step of the power register is 0.3 % here.
      Figure("error of all energy, steps included", (charged / played - 1) * 100, "%", within: 0.5),
    ]
  }

  /// From the first to the last reading of each recording.
  private func recordings(
    of condition: JSONValue, _ results: Results
  ) throws -> [ClosedRange<Double>] {
    try (condition["recordings"]?.array ?? []).map { run in
      let file = try (run["file"]?.string).required("a recording has no name")
      let name = String(file.split(separator: "/").last ?? "")
      let lines = try results.text("energy/" + name).split(separator: "\n")
      let head = try JSONValue(parsing: Array((lines[0].dropLast() + "}").utf8))
      let start = head["metadata"]?["start_boottime_s"]?.number ?? .nan
      let last = try lines.last { $0.contains("time_s") && $0.contains("current_mA") }
        .required("\(name) has no reading")
      let text = last.drop { $0 != ":" }.dropFirst().prefix { $0 != "," }
      return start...(start + (Double(text) ?? .nan))
    }
  }
}

extension ReceiverRecord.Stretch {
  private func share(within range: ClosedRange<Double>) -> Double {
    let overlap = min(end, range.upperBound) - max(start, range.lowerBound)
    return duration > 0 ? max(0, overlap) / duration : 0
  }

  func registerJoules(within range: ClosedRange<Double>) -> Double {
    registerJoules * share(within: range)
  }

  func joules(within range: ClosedRange<Double>) -> Double { joules * share(within: range) }
}

/// `godwit power test` as a process with its folder among the results.
final class EnergyTest {
  private static let settings = "/run/power.toml"
  private let command: String
  private let log = "/run/power-test.log"
  private var process: ChildProcess

  /// - Parameter folder: the folder for the recordings.
  init(_ text: String, into folder: String = Bench.results + "/energy") throws {
    let file = "/run/test.toml"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    let board = GuestDaemon.board
    try board.write(toFile: Self.settings, atomically: false, encoding: .utf8)
    command =
      "exec \(Bench.godwit) power test \(file) --out \(folder) --config \(Self.settings)"
      + " >\(log) 2>&1"
    process = try Self.start(command)
  }

  private static func start(_ command: String) throws -> ChildProcess {
    try ChildProcess("/bin/sh", ["-c", command]).required("the test does not start")
  }

  /// Starts it again after its end.
  func goOn() throws { process = try Self.start(command) }

  func exitCode(within seconds: Double) throws -> Int32 {
    try process.exitCode(within: seconds).required("the test does not end: \(words)")
  }

  /// All its output.
  var words: String { (try? Kernel.read(log)) ?? "" }
}
