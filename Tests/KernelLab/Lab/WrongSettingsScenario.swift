import Foundation

/// Wrong pins, wrong addresses, the wrong chip, a receiver that never answers: each has to be
/// reported with the name of the wrong setting, and none may end the daemon.
struct WrongSettingsScenario: Scenario {
  let name = "wrong-settings"

  private struct Mistake {
    let what: String
    let settings: [String]
    /// Words that must all be in the status or in the daemon's log.
    let words: [String]
    var within = 10.0
  }

  private static let mistakes = [
    Mistake(
      what: "no line of that name", settings: ["power_switch.supply=GNS_EN"],
      words: ["power_switch.supply", "GNS_EN", "GNSS_EN"]),
    Mistake(
      what: "no chip of that label", settings: ["power_switch.supply=gpio:3"],
      words: ["power_switch.supply", "board-gpio"]),
    Mistake(
      what: "beyond the chip's last line", settings: ["power_switch.supply=board-gpio:8"],
      words: ["power_switch.supply", "0 to 7"]),
    Mistake(
      what: "one line for two purposes",
      settings: ["power_switch.supply=GNSS_EN", "power_switch.wake=board-gpio:3"],
      words: ["power_switch.supply", "power_switch.wake"]),
    Mistake(
      what: "no monitor at that address", settings: ["power_monitor.address=0x41"],
      words: ["power_monitor", "address", "0x41"]),
    Mistake(
      what: "no such bus", settings: ["power_monitor.bus=7"], words: ["power_monitor", "bus"]),
    Mistake(
      what: "another chip with a driver", settings: ["power_monitor.chip=ina219"],
      words: ["power_monitor", "chip", "ina226"]),
    Mistake(
      what: "another chip without a driver",
      settings: ["power_monitor.kind=i2c", "power_monitor.address=0x44"],
      words: ["power_monitor.chip", "power_monitor.address"]),
    Mistake(
      what: "no chip at that address",
      settings: ["power_monitor.kind=i2c", "power_monitor.address=0x48"],
      words: ["power_monitor.address", "0x48"]),
    Mistake(
      what: "a driver has the chip", settings: ["power_monitor.kind=i2c"],
      words: ["power_monitor.kind", "hwmon"]),
    Mistake(
      what: "no such power supply",
      settings: ["power_monitor.kind=power_supply", "power_monitor.device=BAT9"],
      words: ["power_monitor.device", "BAT9"]),
    Mistake(
      what: "no such serial line", settings: ["receiver.device=/dev/ttyS9"],
      words: ["receiver.device", "/dev/ttyS9"]),
    Mistake(
      what: "the line switches something else", settings: ["power_switch.supply=board-gpio:6"],
      words: ["receiver-silent", "receiver.device", "receiver.baud", "power_switch.supply"],
      within: 60),
  ]

  func live(on bench: Bench) throws -> [Figure] {
    try bench.chip.appear()
    try bench.connectSupply()
    try StubMonitor.plugIn(addresses: [0x40, 0x44])
    try StubMonitor.bind()
    // An INA260 instead of the expected INA226 (TI SBOS656, section 8.6).
    try StubMonitor.set(0xfe, to: 0x5449, at: 0x44)
    try StubMonitor.set(0xff, to: 0x2270, at: 0x44)
    try bench.startReceiver()
    var slowest = 0.0
    var failures: [String] = []
    for mistake in Self.mistakes {
      do {
        slowest = max(slowest, try Self.make(mistake, bench))
      } catch {
        failures.append("\(mistake.what): \(error)")
      }
    }
    try require(failures.isEmpty, failures.joined(separator: "\n"))
    return [
      Figure("mistakes reported with the name of their setting", Double(Self.mistakes.count)),
      Figure("reported at the latest after", slowest, "s", atMost: 60),
    ]
  }

  /// Returns the time until the mistake was reported, in seconds.
  private static func make(_ mistake: Mistake, _ bench: Bench) throws -> Double {
    unlink(GuestDaemon.log)
    let daemon = try GuestDaemon(["policy.name=continuous"] + mistake.settings)
    let began = Kernel.uptime
    func said() -> String {
      ((try? daemon.status())?.text ?? "") + ((try? Kernel.read(GuestDaemon.log)) ?? "")
    }
    do {
      try bench.wait("\(mistake.words)", for: mistake.within) {
        let text = said()
        return mistake.words.allSatisfy(text.contains)
      }
    } catch {
      try? daemon.stop()
      throw LabFailure("\(error); it says \(said())")
    }
    let told = Kernel.uptime - began
    try require(daemon.isAlive, "the daemon has ended")
    try daemon.stop()
    return told
  }
}
