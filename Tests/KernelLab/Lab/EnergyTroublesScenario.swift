import Foundation

/// An energy test whose monitor disappears in its last minute or is at the end of its range, one
/// whose idle board drifts, and one on a full disk.
struct EnergyTroublesScenario: Scenario {
  let name = "energy-troubles"
  let limit = 300

  private static func test(baseline: Int, seconds: Int) -> String {
    """
    [test]
    name = "idle"
    rounds = 2
    warm_up_s = 0
    settle_s = 1
    baseline_s = \(baseline)
    duration_s = \(seconds)
    interval_s = 1
    [[condition]]
    name = "idle"

    """
  }

  func live(on bench: Bench) throws -> [Figure] {
    try StubMonitor.plugIn()
    try StubMonitor.bind()
    try StubMonitor.show(milliamperes: 30)
    try tool("mkdir", "-p", Self.folder)
    return try vanishing() + drifting() + saturated() + fullDisk()
  }

  private static let folder = Bench.results + "/tests"

  /// In minute 59 of 60.
  private func vanishing() throws -> [Figure] {
    let folder = Self.folder + "/vanishing"
    let test = try EnergyTest(Self.test(baseline: 0, seconds: 3600), into: folder)
    sleep(3540)
    try StubMonitor.unbind()
    let code = try test.exitCode(within: 120)
    try require(
      code == 1 && test.words.contains("it has not answered for"), "\(code): \(test.words)")
    let part = try Kernel.read(folder + "/0001-idle.partial-1.json")
    let kept = part.split(separator: "\n").count { $0.contains("\"current_mA\":") }
    try StubMonitor.bind()
    try StubMonitor.show(milliamperes: 30)
    try test.goOn()
    let again = try test.exitCode(within: 8000)
    try require(again == 0, "\(again): \(test.words)")
    try require(
      !test.words.contains("UNRELIABLE"), "the complete test is not trusted: \(test.words)")
    return [Figure("readings kept of the hour that was cut off", Double(kept), atLeast: 3530)]
  }

  private func drifting() throws -> [Figure] {
    let test = try EnergyTest(
      Self.test(baseline: 300, seconds: 600), into: Self.folder + "/drifting")
    sleep(700)
    try StubMonitor.show(milliamperes: 36)
    let code = try test.exitCode(within: 8000)
    let isTold = test.words.contains("UNRELIABLE: the idle board drew")
    try require(code == 0 && isTold, "\(code): \(test.words)")
    return [Figure("a baseline that drifted by 20 % is told", 1, atLeast: 1)]
  }

  private func saturated() throws -> [Figure] {
    // 32,767 steps of 25 µA, and the corresponding power.
    for (register, value) in [(1, 32_767), (4, 32_767), (3, 4325)] {
      try StubMonitor.set(register, to: value)
    }
    let test = try EnergyTest(
      Self.test(baseline: 0, seconds: 300), into: Self.folder + "/saturated")
    let code = try test.exitCode(within: 1000)
    let isTold = test.words.contains("the monitor was at the end of its range")
    try require(code == 0 && isTold, "\(code): \(test.words)")
    try StubMonitor.show(milliamperes: 30)
    return [Figure("a monitor at the end of its range is told", 1, atLeast: 1)]
  }

  private func fullDisk() throws -> [Figure] {
    try tool("mkdir", "-p", "/run/small")
    try tool("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", "/run/small")
    let folder = "/run/small/test"
    let test = try EnergyTest(Self.test(baseline: 0, seconds: 1200), into: folder)
    let code = try test.exitCode(within: 8000)
    try require(
      code == 1 && test.words.contains("No space left on device"), "\(code): \(test.words)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    try require(
      names.contains("0001-idle.json") && names.contains("0002-idle.partial-1.json"),
      "a full disk leaves \(names)")
    let part = try Kernel.read(folder + "/0002-idle.partial-1.json")
    return [
      Figure(
        "readings kept on a full disk", Double(part.split(separator: "\n").count), atLeast: 50)
    ]
  }
}
