import Foundation
import ReceiverStandIns

/// Another process holds the line when the daemon needs it, and releases it later.
struct LineTakenScenario: Scenario {
  let name = "line-taken"

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: ["--cold-start", "5"])
    let holder = try ChildProcess(
      "/usr/bin/gpioset", ["--mode=signal", try bench.chip.device(), "\(Bench.supply)=0"]
    ).required("gpioset does not start")
    try bench.wait("gpioset to hold the line", for: 5) {
      try tool("gpioinfo").contains("\"gpioset\"")
    }
    let daemon = try GuestDaemon(["policy.name=continuous"])
    let told = try daemon.tells(["power_switch.supply", "GNSS_EN", "gpioset"], bench, within: 30)
    sleep(600)
    try require(daemon.isAlive, "the daemon has ended")
    try require(daemon.mentions(["gpioset"]), "the daemon no longer says who has the line")
    holder.signal(SIGTERM)
    _ = holder.exitCode()
    let recovery = try daemon.powers(bench, within: 1200)
    try daemon.stop()
    try bench.keepEvidence()
    return [
      Figure("said who has the line after", told, "s", atMost: 5),
      Figure(
        "recovery after the line was free", recovery, "s", atMost: 120, isHeadline: true),
    ]
  }
}

/// The chip is missing when the daemon starts, because its driver is loaded late.
struct ChipLateScenario: Scenario {
  let name = "chip-late"

  func live(on bench: Bench) throws -> [Figure] {
    try StubMonitor.plugIn()
    try StubMonitor.bind()
    try bench.startReceiver(["--cold-start", "5"])
    let daemon = try GuestDaemon(["policy.name=continuous"])
    let told = try daemon.tells(["power_switch.supply"], bench, within: 30)
    sleep(600)
    try require(daemon.isAlive, "the daemon has ended")
    try bench.chip.appear()
    try bench.connectSupply()
    let recovery = try daemon.powers(bench, within: 1200)
    try daemon.stop()
    try bench.keepEvidence()
    return [
      Figure("said what is missing after", told, "s", atMost: 5),
      Figure("recovery after the chip came", recovery, "s", atMost: 120),
    ]
  }
}

/// The chip disappears while the daemon uses it, with the receiver's supply, and comes back.
struct ChipVanishesScenario: Scenario {
  let name: String
  /// A policy that switches often detects the loss at its next cut; one that never switches must
  /// detect that no data arrives.
  let policy: [String]

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: ["--cold-start", "5"])
    let daemon = try GuestDaemon(policy)
    try bench.wait("tracking", for: 120) { daemon.answer("gnss")?.string == "tracking" }
    try bench.chip.vanish()
    let told = try daemon.tells(["power_switch.supply"], bench, within: 1200)
    try require(daemon.isAlive, "the daemon has ended")
    sleep(600)
    try bench.chip.appear()
    try bench.connectSupply()
    let recovery = try daemon.powers(bench, within: 1200)
    try daemon.stop()
    try require(try !bench.chip.value(of: Bench.supply), "the line is high after the daemon's end")
    try bench.keepEvidence()
    return [
      Figure("said that the chip is gone after", told, "s", atMost: 120),
      Figure(
        "recovery after the chip came back", recovery, "s", atMost: 120,
        isHeadline: name == "chip-vanishes"),
    ]
  }
}

extension GuestDaemon {
  /// Whether its status contains all these words.
  func mentions(_ words: [String]) -> Bool {
    guard let text = (try? status())?.text else { return false }
    return words.allSatisfy(text.contains)
  }

  /// Waits until the status contains all these words; returns the time it took.
  func tells(_ words: [String], _ bench: Bench, within seconds: Double) throws -> Double {
    let began = Kernel.uptime
    do {
      try bench.wait("a status with \(words)", for: seconds) { mentions(words) }
    } catch {
      throw LabFailure("\(error); the status is \((try? status())?.text ?? "not to be had")")
    }
    return Kernel.uptime - began
  }

  /// Waits until the line is high and the receiver tracks; returns the time the line took.
  func powers(_ bench: Bench, within seconds: Double) throws -> Double {
    let began = Kernel.uptime
    do {
      try bench.wait("the line to rise", for: seconds) { try bench.chip.value(of: Bench.supply) }
    } catch {
      throw LabFailure("\(error); the status is \((try? status())?.text ?? "not to be had")")
    }
    let risen = Kernel.uptime - began
    try bench.wait("tracking", for: 120) { answer("gnss")?.string == "tracking" }
    return risen
  }
}
