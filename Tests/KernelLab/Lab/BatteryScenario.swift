import Foundation

/// The budget follows the fuel gauge of the kernel's test battery (drivers/power/supply/
/// test_power.c), which appears late, empties, is charged, and disappears.
struct BatteryScenario: Scenario {
  let name = "battery"

  func live(on bench: Bench) throws -> [Figure] {
    let daemon = try GuestDaemon([
      "receiver.kind=none", "power_switch.kind=none", "power_monitor.kind=none",
      "policy.name=adaptive", "policy.adaptive.budget_J=700", "policy.adaptive.budget_days=7",
      "policy.adaptive.budget_gauge=auto",
    ])
    try bench.wait("the missing battery in the status", for: 10) {
      daemon.answer("budget.battery.failure")?.string?.contains("there is no battery") == true
    }
    let unread = try daily(daemon)
    try tool("modprobe", "-d", Bench.kernel, "test_power")
    try show(level: 50, "discharging")
    try bench.wait("the battery to be read", for: 400) {
      daemon.answer("budget.battery.level_percent")?.number == 50
    }
    let half = try daily(daemon)
    try show(level: 20, "discharging")
    // The median of five readings, half an hour apart.
    sleep(9000)
    let emptied = try daily(daemon)
    try show(level: 90, "charging")
    sleep(9000)
    let charged = try daily(daemon)
    try daemon.stop()
    try daemon.start()
    try bench.wait("the next run", for: 10) { daemon.answer("budget.daily_J") != nil }
    let later = try daily(daemon)
    let wakes = try daemon.wakes { sleep(36_000) }
    try tool("rmmod", "test_power")
    try bench.wait("the lost battery in the status", for: 4000) {
      daemon.answer("budget.battery.failure")?.string?.contains("there is no battery") == true
    }
    let lost = try daily(daemon)
    try daemon.stop()
    try bench.keepEvidence()
    return [
      Figure("a day's budget before the battery is there", unread, "J", atMost: 100, atLeast: 100),
      Figure("of one that is half full", half, "J", atMost: 50.1, atLeast: 49.9),
      Figure("of one that has emptied within hours", emptied, "J", atMost: 21, atLeast: 20),
      Figure("of one that is being charged", charged, "J", atMost: 90.1, atLeast: 89.9),
      Figure("of the same after a restart", later, "J", atMost: 90.1, atLeast: 89.9),
      // Before it disappears it is unplugged for ten seconds: test_power_exit.
      Figure("of one that has gone", lost, "J", atMost: 90.6, atLeast: 89.9),
      Figure("the daemon's wakes in ten hours beside it", wakes, atMost: 60),
    ]
  }

  private func show(level: Int, _ status: String) throws {
    let parameters = "/sys/module/test_power/parameters"
    try Kernel.write("\(level)", to: parameters + "/battery_capacity")
    try Kernel.write(status, to: parameters + "/battery_status")
  }

  private func daily(_ daemon: GuestDaemon) throws -> Double {
    try (daemon.answer("budget.daily_J")?.number).required("no budget in the status")
  }
}
