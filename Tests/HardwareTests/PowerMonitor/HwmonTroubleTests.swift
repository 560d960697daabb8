import Foundation
import Records
import Ports
import Core
import TestSupport
import Testing

@testable import Hardware

/// Devices that are missing, appear, disappear, or give nonsense.
@Suite struct HwmonTroubleTests {
  let tree: MadeTree

  init() throws { tree = try MadeTree() }

  func monitor(_ settings: MonitorSettings = MonitorSettings()) -> HwmonMonitor {
    HwmonMonitor(settings, root: tree.root, kernel: "6.12", clock: tree.clock)
  }

  func message(_ monitor: HwmonMonitor) -> String {
    thrown(PortError.self) { try monitor.read() }?.message ?? ""
  }

  /// Nothing is read twice within one conversion: the last value is returned again with its own
  /// time.
  @Test("within one conversion the last value is returned again with its own time")
  func conversionsAreNotReadTwice() throws {
    try tree.hwmon(0, "ina226", HwmonMonitorTests.ina226)
    let monitor = monitor()
    let first = try monitor.read()
    try tree.write("190000\n", to: "class/hwmon/hwmon0/power1_input")
    tree.now = tree.now + 0.038  // 35 ms, and a tenth for a slow clock
    let again = try monitor.read()
    #expect(!again.isNew && again.taken == first.taken && again.current == first.current)
    tree.now = tree.now + 0.001
    let next = try monitor.read()
    #expect(next.isNew && next.taken == tree.now)
    #expect(abs(next.current.value - 0.190_312_5 / 3.3) < 1e-12)
  }

  @Test("a missing driver is explained, and found once it is bound")
  func aMissingDriverIsExplained() throws {
    try tree.hwmon(0, "cpu_thermal", at: nil, [:])
    try tree.hwmon(1, "ina219", at: "1-0041", [:])
    let monitor = monitor(MonitorSettings(bus: 1))
    let text = message(monitor)
    for part in [
      "ina226 at 0x40 on bus 1", "cpu_thermal (hwmon0), ina219 at 1-0041 (hwmon1)",
      "echo ina226 0x40 >/sys/bus/i2c/devices/i2c-1/new_device", "power_monitor.chip",
    ] {
      #expect(text.contains(part), "\(part) in: \(text)")
    }
    // Bound later, it is found at the next reading.
    try tree.hwmon(2, "ina226", HwmonMonitorTests.ina226)
    _ = try monitor.read()
    #expect(monitor.name == "ina226 at 1-0040 (hwmon2)")
  }

  @Test("a wrong address or bus does not match") func aWrongAddressOrBusIsNoMatch() throws {
    try tree.hwmon(0, "ina226", HwmonMonitorTests.ina226)
    #expect(message(monitor(MonitorSettings(address: 0x41))).contains("at 0x41"))
    #expect(message(monitor(MonitorSettings(bus: 3))).contains("on bus 3"))
    #expect(message(monitor(MonitorSettings(chip: .ina219))).contains("ina226 at 1-0040"))
    _ = try monitor(MonitorSettings(bus: 1)).read()
    _ = try monitor(MonitorSettings(address: nil)).read()
    _ = try monitor(MonitorSettings(chip: .ina230)).read()
  }

  @Test("several matches are refused") func severalAreRefused() throws {
    try tree.hwmon(0, "ina226", HwmonMonitorTests.ina226)
    try tree.hwmon(1, "ina226", at: "2-0040", HwmonMonitorTests.ina226)
    let text = message(monitor())
    #expect(text.contains("several") && text.contains("power_monitor.bus"))
    _ = try monitor(MonitorSettings(bus: 2)).read()
    _ = try monitor(MonitorSettings(device: "hwmon1")).read()
    #expect(message(monitor(MonitorSettings(device: "hwmon7"))).contains("power_monitor.device"))
  }

  @Test("a device selected by name must be the chip") func aNamedDeviceMustBeTheChip() throws {
    try tree.hwmon(4, "ina219", HwmonMonitorTests.ina226)
    let text = message(monitor(MonitorSettings(device: "hwmon4")))
    #expect(text.contains("hwmon4 (power_monitor.device) is an ina219"))
  }

  /// Any file contents give a finite reading or an error, never a crash.
  @Test("damaged files give an error") func damagedFilesEndInAnAnswer() throws {
    var random = SplitMix(seed: 7)
    let names = Array(HwmonMonitorTests.ina226.keys).sorted()
    let texts = [
      "-1", "0", "999999999999999", "-999999999999999", "1000000000000000", "4294967296", ".5",
      "5.", "-0", "\u{fffd}", "7\n8", "0.000001",
    ]
    var answered = 0
    var whole = HwmonMonitorTests.ina226
    whole["in4_input"] = "2880"
    whole["energy1_input"] = "160"
    for chip in MonitorChip.allCases {
      try tree.hwmon(0, chip.rawValue, at: nil, whole)
      for _ in 0..<20 {
        var damaged: Set<String> = []
        for _ in 0..<2 {
          let name = names[Int.random(in: 0..<names.count, using: &random)]
          let text = texts[Int.random(in: 0..<texts.count, using: &random)]
          try tree.write(text, to: "class/hwmon/hwmon0/\(name)")
          damaged.insert(name)
        }
        do {
          let reading = try monitor(MonitorSettings(chip: chip, address: nil)).read()
          #expect(reading.current.isFinite && reading.currentUncertainty.isFinite)
          answered += 1
        } catch {
          #expect(!error.message.isEmpty)
        }
        for name in damaged { try tree.write(whole[name] ?? "", to: "class/hwmon/hwmon0/\(name)") }
      }
    }
    #expect(answered > 50)
  }

  @Test("a label selects one of two chips of one kind") func aLabelChoosesBetweenTwins() throws {
    var labelled = HwmonMonitorTests.ina226
    labelled["label"] = "gnss"
    labelled["curr1_input"] = "7"
    labelled["in1_input"] = "0"
    try tree.hwmon(0, "ina226", HwmonMonitorTests.ina226)
    try tree.hwmon(1, "ina226", at: "2-0040", labelled)
    let reading = try monitor(MonitorSettings(label: "gnss")).read()
    #expect(reading.current == 0.007)
  }

  /// Unbound and rebound under another number with other values: no old state is kept.
  @Test("a device that comes back under another number is found again")
  func aDeviceThatComesBackIsFoundAgain() throws {
    try tree.hwmon(0, "ina226", HwmonMonitorTests.ina226)
    let monitor = monitor()
    _ = try monitor.read()
    // A plain file stays readable after its removal, unlike the driver's; an emptied one is not.
    for file in ["power1_input", "in1_input", "curr1_input"] {
      try tree.write("", to: "class/hwmon/hwmon0/\(file)")
    }
    tree.now = tree.now + 1
    #expect(message(monitor).contains("does not contain a number"))
    try tree.remove("class/hwmon/hwmon0")
    #expect(message(monitor).contains("no kernel driver"))
    var files = HwmonMonitorTests.ina226
    files["power1_input"] = "190000"
    try tree.hwmon(5, "ina226", files)
    let reading = try monitor.read()
    #expect(abs(reading.current.value - 0.190_312_5 / 3.3) < 1e-12)
    #expect(monitor.name.contains("hwmon5"))
  }

  @Test(
    "garbage is not a number",
    arguments: [
      "", "nan", "inf", "0x40", "1e9", "12 34", "-", "999999999999999999999", "\u{0}", "ünï",
    ])
  func garbageIsNoNumber(text: String) throws {
    var files = HwmonMonitorTests.ina226
    files["in1_input"] = text
    try tree.hwmon(0, "ina226", files)
    let said = message(monitor())
    #expect(said.contains("in1_input does not contain a number"), "\(said)")
  }

  @Test("a file too long for a number is refused") func longFilesAreRefused() throws {
    var files = HwmonMonitorTests.ina226
    files["in1_input"] = String(repeating: "1", count: 100_000)
    try tree.hwmon(0, "ina226", files)
    #expect(message(monitor()).contains("does not contain a number"))
  }

  /// A pipe of that name must not block the daemon.
  @Test("a pipe in a file's place is refused without waiting") func aPipeDoesNotBlock() throws {
    try tree.hwmon(0, "ina226", HwmonMonitorTests.ina226)
    try tree.remove("class/hwmon/hwmon0/in1_input")
    mkfifo(tree.scratch.file("class/hwmon/hwmon0/in1_input"), 0o600)
    #expect(!message(monitor()).isEmpty)
  }

  @Test("a shunt of 0 is refused") func aShuntOfNothingIsRefused() throws {
    var files = HwmonMonitorTests.ina226
    files["shunt_resistor"] = "0"
    try tree.hwmon(0, "ina226", files)
    #expect(message(monitor()).contains("shunt_resistor"))
  }
}
