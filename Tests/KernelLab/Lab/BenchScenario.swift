import Foundation
import ReceiverStandIns

/// The bench itself: its parts must work as intended before anything is tested on it.
struct BenchScenario: Scenario {
  let name = "bench"

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: ["--cold-start", "5"])
    let version = try tool(Bench.godwit, "--version")
    try require(!version.isEmpty, "\(Bench.godwit) says no version")
    let found = try tool("gpiofind", "GNSS_EN").split(separator: "\n").joined()
    try require(found.hasSuffix(" \(Bench.supply)"), "gpiofind says \(found)")
    try require(try !bench.chip.value(of: Bench.supply), "the line is high from the start")

    let off = try current()
    let began = Kernel.uptime
    let chip = try bench.chip.device()
    let holder = try ChildProcess(
      "/usr/bin/gpioset", ["--mode=time", "--sec=10", chip, "\(Bench.supply)=1"]
    ).required("gpioset does not start")
    try bench.wait("the driver to see the current of a search", for: 5) { try current() == 32 }
    try bench.wait("the driver to see the current of tracking", for: 9) { try current() == 29 }
    _ = holder.exitCode()
    let held = Kernel.uptime - began
    try bench.wait("the receiver to go off", for: 1) { try current() == off }
    try bench.keepEvidence()
    let trace = try Kernel.read(Bench.results + "/lines.trace")
    try require(trace.contains("gpio_value"), "the kernel's trace has nothing: \(trace)")
    return [Figure("line held", held, "s", atMost: 10.5, atLeast: 10)]
  }

  func judge(_ results: Results) throws -> [Figure] {
    let record = try results.receiver()
    let supplied = try record.supplied(until: 60).first.required("the receiver had no supply")
    let spoke = record.entries("unheard").map(\.time)
    try require(!spoke.isEmpty, "the receiver with supply said nothing")
    try require(spoke.allSatisfy(supplied.contains), "the receiver spoke without supply")
    let tracking = try record.stretches(from: 0, until: 60).first { $0.state == "tracking" }
    let timeToFix =
      try tracking.required("the receiver found no satellites").start - supplied.lowerBound
    return [
      Figure("supply seen by the receiver", supplied.length, "s", atMost: 10.5, atLeast: 9.9),
      Figure("its time to first fix", timeToFix, "s", atMost: 10, atLeast: 3),
    ]
  }

  /// The current that the kernel's driver calculates from the registers, mA.
  private func current() throws -> Int {
    try Int(Kernel.read(StubMonitor.hwmon() + "/curr1_input")).required("no number in curr1_input")
  }
}
