import Foundation

/// Every access to a monitor, with the kernel's drivers or without: the daemon must report the
/// registers' values in each case.
struct MonitorKindsScenario: Scenario {
  let name = "monitors"
  static let played = 29.0

  func live(on bench: Bench) throws -> [Figure] {
    try StubMonitor.plugIn(addresses: [0x40, 0x44])
    try StubMonitor.show(milliamperes: Int(Self.played))
    let raw = try current(["kind=i2c"])

    // The driver assumes a shunt of 10 mΩ, so its current is ten times too high.
    try Kernel.write("ina226 0x40", to: StubMonitor.bus + "/new_device")
    let uncorrected = try Int(Kernel.read(StubMonitor.hwmon() + "/curr1_input")) ?? 0
    try require(uncorrected == 290, "the driver says \(uncorrected) mA across its 10 mΩ")
    let corrected = try current(["kind=hwmon"])
    try Kernel.write("100000", to: StubMonitor.hwmon() + "/shunt_resistor")
    let told = try current(["kind=hwmon"])
    try StubMonitor.unbind()

    try tool("rmmod", "ina2xx")
    try tool("modprobe", "-d", Bench.kernel, "ina2xx-adc")
    try Kernel.write("ina226 0x40", to: StubMonitor.bus + "/new_device")
    let iio = try current(["kind=iio"])
    try StubMonitor.unbind()
    try tool("rmmod", "ina2xx-adc")

    let ina238 = try self.ina238()
    let battery = try self.battery()
    return [
      figure("raw I2C", raw), figure("hwmon with the driver's default shunt", corrected),
      figure("hwmon with the right shunt", told), figure("IIO", iio),
      figure("hwmon of an INA238", ina238), figure("power_supply", battery),
    ]
  }

  /// Linux 6.12's driver configures the chip for 20 mΩ and 1 mA per step, assumes 10 mΩ and cannot
  /// be changed. Registers follow TI SLYS026, section 7.6, from the shunt voltage.
  private func ina238() throws -> Double {
    let shunt = Self.played * 1e-3 * 0.1
    let steps = (shunt / 20e-6).rounded()
    let values = [
      (0x3e, 0x5449), (0x3f, 0x2381), (4, Int((shunt / 5e-6).rounded())), (5, 1056),
      (7, Int(steps)),
    ]
    for (register, value) in values { try StubMonitor.set(register, to: value, at: 0x44) }
    // 200 µW per step, in three bytes.
    let power = Int(steps * 3.3 / 0.2)
    try tool(
      "i2cset", "-f", "-y", "0", "0x44", "0x08", "\(power >> 16)", "\(power >> 8 & 255)",
      "\(power & 255)", "i")
    try tool("modprobe", "-d", Bench.kernel, "ina238")
    try Kernel.write("ina238 0x44", to: StubMonitor.bus + "/new_device")
    defer { try? Kernel.write("0x44", to: StubMonitor.bus + "/delete_device") }
    return try current(["kind=hwmon", "chip=ina238", "address=0x44"])
  }

  private func battery() throws -> Double {
    try tool("modprobe", "-d", Bench.kernel, "test_power")
    let parameters = "/sys/module/test_power/parameters"
    try Kernel.write("\(Int(Self.played * 1000))", to: parameters + "/battery_current")
    try Kernel.write("3300000", to: parameters + "/battery_voltage")
    return try current(["kind=power_supply"])
  }

  /// The current in the daemon's status with these monitor settings, mA.
  private func current(_ settings: [String]) throws -> Double {
    let daemon = try GuestDaemon(
      ["receiver.kind=none", "power_switch.kind=none"]
        + settings.map { "power_monitor.\($0)" })
    defer { try? daemon.stop() }
    let deadline = Kernel.uptime + 10
    while Kernel.uptime < deadline {
      if let current = daemon.answer("current_mA")?.number { return current }
      usleep(100_000)
    }
    throw LabFailure("\(settings): no current; \((try? daemon.status())?.text ?? "no status")")
  }

  private func figure(_ what: String, _ current: Double) -> Figure {
    Figure("read through \(what)", current, "mA", atMost: 29.3, atLeast: 28.7)
  }
}
