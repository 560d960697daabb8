import Foundation
import Ports
import Core
import TestSupport
import Testing

@testable import Hardware

/// Values as printed by the kernel's drivers (drivers/hwmon), in files made by the test.
@Suite struct HwmonMonitorTests {
  let tree: MadeTree

  init() throws { tree = try MadeTree() }

  func monitor(
    _ settings: MonitorSettings = MonitorSettings(), kernel: String = "6.12.41"
  ) -> HwmonMonitor {
    HwmonMonitor(settings, root: tree.root, kernel: kernel, clock: tree.clock)
  }

  /// An INA226 across 100 mΩ at 3.3 V and 28.98 mA: 1159 steps of 25 µA; the power register holds
  /// 1159 × 2640 / 20 000 = 152.988, so 152 of 625 µW.
  static let ina226 = [
    "curr1_input": "29", "in0_input": "3", "in1_input": "3300", "power1_input": "95000",
    "shunt_resistor": "100000", "update_interval": "35",
  ]

  @Test("power over voltage replaces the coarser rounded current")
  func powerOverVoltageIsFinerThanTheRoundedCurrent() throws {
    try tree.hwmon(0, "ina226", Self.ina226)
    let reading = try monitor().read()
    // Half of the step that the chip truncates is added: 28.88 mA.
    #expect(abs(reading.current.value - 0.095_312_5 / 3.3) < 1e-12)
    #expect(reading.voltage == 3.3 && reading.isVoltageMeasured && reading.isNew)
    #expect(!reading.isBelowFloor)
    // Steps of 25 × 2.5 µV / 0.1 Ω = 625 µW, and the chip truncates: 2 × 625 µW / 3.3 V = 378.8 µA.
    // √((288.8² + 28.9² + 100² + 189.4²) / 3) = √(130 112 / 3) = 208.3 µA.
    #expect(abs(reading.currentUncertainty.value - 208.3e-6) < 0.1e-6)
  }

  /// 2.068 mA to 37 mA at 3.3 V across 100 mΩ, computed as in the chip's data sheet. The steps of
  /// 189 µA average out.
  @Test("a chip that truncates its product does not read less than the actual current")
  func cutOffProducts() throws {
    try tree.hwmon(0, "ina226", Self.ina226)
    var errors: [Double] = []
    for milliamperes in stride(from: 2.068, through: 37, by: 0.173) {
      let steps = Int((milliamperes / 0.025).rounded()) * 2640 / 20_000
      try tree.write("\(Int(milliamperes.rounded()))\n", to: "class/hwmon/hwmon0/curr1_input")
      try tree.write("\(steps * 625)\n", to: "class/hwmon/hwmon0/power1_input")
      tree.now = tree.now + 1
      errors.append(try monitor().read().current.value * 1000 - milliamperes)
    }
    let mean = errors.reduce(0, +) / Double(errors.count)
    #expect(mean.magnitude < 0.01, "\(mean) mA")
    #expect(errors.allSatisfy { $0.magnitude < 0.11 })
  }

  @Test("a reading below the floor is marked") func belowTheFloorIsSaid() throws {
    var files = Self.ina226
    files["power1_input"] = "0"
    files["curr1_input"] = "0"
    try tree.hwmon(0, "ina226", files)
    let reading = try monitor().read()
    #expect(reading.isBelowFloor && reading.current == 0)
  }

  /// The monitor is behind the switch, so there is no voltage to divide by.
  @Test("without a voltage the current itself is read") func withoutVoltageTheCurrentItselfCounts()
    throws
  {
    var files = Self.ina226
    files["power1_input"] = "0"
    files["curr1_input"] = "2"
    files["in1_input"] = "0"
    try tree.hwmon(0, "ina226", files)
    let reading = try monitor().read()
    #expect(reading.current == 0.002 && reading.voltage == 0)
  }

  @Test("the sign comes from the current, because power has none")
  func powerHasNoSignTheCurrentHas() throws {
    var files = Self.ina226
    files["curr1_input"] = "-29"
    try tree.hwmon(0, "ina226", files)
    #expect(try monitor().read().current < -0.028)
  }

  /// The driver assumes 10 mΩ on a breakout with 100 mΩ, so its shunt value is set once.
  @Test("the driver's shunt is set") func theDriverIsToldItsShunt() throws {
    var files = Self.ina226
    files["shunt_resistor"] = "10000"
    try tree.hwmon(0, "ina226", files)
    let monitor = monitor()
    _ = try monitor.read()
    #expect(try tree.read("class/hwmon/hwmon0/shunt_resistor") == "100000\n")
    let warnings = monitor.takeWarnings()
    #expect(warnings.count == 1 && warnings[0].contains("assumed 10 mΩ"))
    tree.now = tree.now + 1
    _ = try monitor.read()
    #expect(monitor.takeWarnings() == [])
  }

  /// If it cannot be set, readings are corrected: 10 mΩ means steps of 250 µA instead of 25.
  @Test("a shunt that cannot be set is corrected", arguments: [nil, "10000"])
  func aShuntThatCannotBeToldIsCorrected(shown: String?) throws {
    var files = Self.ina226
    files["shunt_resistor"] = shown
    files["curr1_input"] = "290"
    files["power1_input"] = "950000"
    try tree.hwmon(0, "ina226", files)
    if shown != nil {
      // A pipe cannot be opened without blocking, and cannot be written either.
      chmod(tree.scratch.file("class/hwmon/hwmon0/shunt_resistor"), 0o444)
      guard getuid() != 0 else { return try readOnly(files) }
    }
    let monitor = monitor()
    let reading = try monitor.read()
    #expect(abs(reading.current.value - 0.029) < 1e-9)
    #expect(monitor.takeWarnings().first?.contains("assumes 10 mΩ") == true)
    #expect(monitor.takeWarnings() == [])
  }

  /// Root may write everything, so a value that the "driver" does not adopt stands for the refusal.
  func readOnly(_ files: [String: String]) throws {
    let folder = tree.scratch.file("class/hwmon/hwmon0")
    let shunt = try DriverShunt(
      MonitorSettings(shunt: 0.015), folder: folder, kernel: "6.12")
    #expect(shunt.factor > 0)
  }

  /// 15 mΩ: 2.5 µV / 15 mΩ = 166.67 µA per step, which the driver rounds to 167.
  @Test("the driver's rounding is removed") func theDriversRoundingIsTakenOut() {
    let factor = DriverShunt.factor(.ina226, driver: 15_000, shunt: 0.015)
    #expect(abs(factor - 166.666_667 / 167) < 1e-8)
    #expect(DriverShunt.factor(.ina226, driver: 100_000, shunt: 0.1) == 1)
    #expect(DriverShunt.factor(.ina219, driver: 10_000, shunt: 0.1) == 0.1)
    #expect(DriverShunt.factor(.ina238, driver: 2500, shunt: 0.1) == 0.025)
  }

  /// ina238.c shows no shunt_resistor; its default changed in Linux 6.18.
  @Test(
    "an ina238 is corrected for the shunt that its driver assumes, and this is reported",
    arguments: [("6.12.41+deb13", 290.0), ("6.18.0", 1160), ("6.6.51+rpt-rpi-v8", 290)])
  func ina238IsCorrectedByTheDriversDefault(kernel: String, milliwatts: Double) throws {
    try tree.hwmon(
      3, "ina238",
      ["curr1_input": "290", "in1_input": "3300", "power1_input": "\(Int(milliwatts * 3300))"])
    let monitor = monitor(MonitorSettings(chip: .ina238), kernel: kernel)
    let reading = try monitor.read()
    #expect(abs(reading.current.value - 0.029) < 1e-9)
    #expect(monitor.takeWarnings().first?.contains("device-tree") == true)
  }

  @Test("the device tree's shunt takes precedence over the default")
  func theDeviceTreesShuntGoesBeforeTheDefault() throws {
    try tree.hwmon(
      3, "ina238", ["curr1_input": "29", "in1_input": "3300", "power1_input": "95700"])
    let node = tree.scratch.file("devices/1-0040/of_node")
    try FileManager.default.createDirectory(atPath: node, withIntermediateDirectories: true)
    // 100 000 µΩ, big-endian.
    try Data([0, 1, 0x86, 0xa0]).write(to: URL(fileURLWithPath: node + "/shunt-resistor"))
    let monitor = monitor(MonitorSettings(chip: .ina238))
    #expect(abs(try monitor.read().current.value - 0.029) < 1e-9)
    #expect(monitor.takeWarnings() == [])
  }

  /// ina238.c truncates 3.125 µA to 3: curr1_input is 4 % low, with steps of 1 mA; power is exact.
  @Test("an INA228 counts energy, and its current is used uncorrected")
  func ina228CountsEnergyAndLeavesTheCurrentAlone() throws {
    try tree.hwmon(
      0, "ina228",
      [
        "curr1_input": "27", "in1_input": "3300", "power1_input": "95700",
        "energy1_input": "1600000", "shunt_resistor": "100000",
      ])
    let monitor = monitor(MonitorSettings(chip: .ina228))
    let reading = try monitor.read()
    #expect(abs(reading.current.value - 0.029) < 1e-9)
    #expect(abs((reading.accumulatedEnergy?.value ?? 0) - 1.6) < 1e-9)
    #expect(reading.accumulatedCharge == nil)
  }

  /// ina3221.c: in4 to in6 are the shunt voltages in µV, whatever resistor the driver assumes.
  @Test(
    "an ina3221 is read on the channel of that number or label",
    arguments: [(1, ""), (2, ""), (1, "GNSS")])
  func ina3221ByChannelAndLabel(channel: Int, label: String) throws {
    try tree.hwmon(
      0, "ina3221",
      [
        "in1_label": "CPU", "in2_label": "GNSS", "in1_input": "5000", "in2_input": "3304",
        "in4_input": "50000", "in5_input": "2880", "curr1_input": "5000", "curr2_input": "288",
        "shunt1_resistor": "10000", "shunt2_resistor": "10000", "update_interval": "7",
        "samples": "16",
      ])
    let monitor = monitor(
      MonitorSettings(chip: .ina3221, channel: channel, label: label.isEmpty ? nil : label))
    let reading = try monitor.read()
    let isFirst = channel == 1 && label.isEmpty
    #expect(abs(reading.current.value - (isFirst ? 0.5 : 0.0288)) < 1e-9)
    #expect(abs(reading.voltage.value - (isFirst ? 5 : 3.304)) < 1e-9)
    // 16 rounds of 7 ms.
    #expect(abs(monitor.window.value - 0.112) < 1e-9)
  }

  @Test("an unknown label is refused with the existing ones")
  func anUnknownLabelNamesThoseThatAreThere() throws {
    try tree.hwmon(
      0, "ina3221", ["in1_label": "CPU", "in1_input": "1", "in4_input": "1", "curr1_input": "1"])
    let error = thrown(PortError.self) {
      try monitor(MonitorSettings(chip: .ina3221, label: "GNSS")).read()
    }
    #expect(error?.message.contains("power_monitor.label") == true)
    #expect(error?.message.contains("labels: CPU") == true)
  }

  /// LTC2945 across 100 mΩ; the driver divides by 1 mΩ.
  @Test("an ltc2945 is corrected for the shunt of 1 mΩ its driver assumes")
  func ltc2945IsCorrectedByTheDriversShunt() throws {
    try tree.hwmon(
      0, "ltc2945", at: "1-006f",
      ["curr1_input": "2900", "in1_input": "3300", "power1_input": "9570000"])
    let reading = try monitor(MonitorSettings(chip: .ltc2945, address: 0x6f)).read()
    #expect(abs(reading.current.value - 0.029) < 1e-9)
    // Half of 250 µA, 77.5 µV / 0.1 Ω, 0.75 % and 1 %: √((125² + 775² + 217.5² + 290²) / 3) =
    // 499.2 µA.
    #expect(abs(reading.currentUncertainty.value - 499.2e-6) < 0.1e-6)
  }

  /// The driver of Debian 12 does not read the device tree's 100 mΩ; that of Debian 13 does.
  @Test(
    "the driver of the LTC2945 reads the device tree since Linux 6.3",
    arguments: [("6.1.0-40-arm64", "2900"), ("6.12.41+deb13", "29")])
  func ltc2945HeedsTheDeviceTreeLately(kernel: String, milliamperes: String) throws {
    try tree.hwmon(0, "ltc2945", at: "1-006f", ["curr1_input": milliamperes])
    let node = tree.scratch.file("devices/1-006f/of_node")
    try FileManager.default.createDirectory(atPath: node, withIntermediateDirectories: true)
    try Data([0, 1, 0x86, 0xa0]).write(
      to: URL(fileURLWithPath: node + "/shunt-resistor-micro-ohms"))
    let monitor = monitor(MonitorSettings(chip: .ltc2945, address: 0x6f), kernel: kernel)
    #expect(abs(try monitor.read().current.value - 0.029) < 1e-9)
    let warning = monitor.takeWarnings().first
    #expect(kernel.hasPrefix("6.12") || warning?.contains("shunt-resistor-micro-ohms") == true)
  }

  @Test("an ina260 is read without a shunt and without a remark") func ina260NeedsNoShunt() throws {
    try tree.hwmon(
      0, "ina260", ["curr1_input": "30", "in1_input": "5000", "power1_input": "150000"])
    let monitor = monitor(MonitorSettings(chip: .ina260))
    let reading = try monitor.read()
    #expect(reading.current == 0.03 && monitor.takeWarnings() == [])
    #expect(reading.currentUncertainty > 0.0029)
  }
}
