import Foundation

/// The monitor's driver disappears and comes back; then its whole bus does.
struct MonitorVanishesScenario: Scenario {
  let name = "monitor-vanishes"

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: ["--cold-start", "5"])
    let daemon = try GuestDaemon(["policy.name=continuous"])
    try bench.wait("tracking", for: 60) { daemon.answer("gnss")?.string == "tracking" }
    try bench.wait("a current", for: 5) { daemon.milliamperes == 29 }

    try StubMonitor.unbind()
    let toldDriver = try daemon.tells(["power_monitor", "ina226"], bench, within: 60)
    sleep(300)
    try StubMonitor.bind()
    let withDriver = try daemon.measures(bench)

    try StubMonitor.unplug()
    let toldBus = try daemon.tells(["power_monitor", "ina226"], bench, within: 60)
    sleep(300)
    try require(daemon.answer("gnss")?.string == "tracking", "no monitor, no tracking")
    try StubMonitor.plugIn()
    try StubMonitor.bind()
    try StubMonitor.show(milliamperes: 29)
    let withBus = try daemon.measures(bench)
    try daemon.stop()
    try bench.keepEvidence()
    try GuestDaemon.keepStore()
    return [
      Figure("said that the driver is gone after", toldDriver, "s", atMost: 5),
      Figure(
        "recovery after the monitor's driver came back", withDriver, "s", atMost: 65,
        isHeadline: true),
      Figure("said that the bus is gone after", toldBus, "s", atMost: 5),
      Figure("recovery after its bus came back", withBus, "s", atMost: 65),
    ]
  }
}

extension GuestDaemon {
  /// The present current in the status; nil if there is none.
  var milliamperes: Double? {
    guard let current = answer("current_mA")?.number else { return nil }
    return current.rounded()
  }

  /// Waits until the status has no fault of the monitor and a plausible current.
  func measures(_ bench: Bench) throws -> Double {
    let began = Kernel.uptime
    try bench.wait("a current", for: 300) {
      answer("energy.monitor_failure") == .null && milliamperes == 29
    }
    return Kernel.uptime - began
  }
}
