import Foundation
import Ports
import Core
import TestSupport
import Testing

@testable import Hardware

/// The kernel's IIO devices and power supplies.
@Suite struct OtherClassesTests {
  let tree: MadeTree

  init() throws { tree = try MadeTree() }

  /// An INA226 as ina2xx-adc shows it: 1159 steps of 0.0025 mV, 2640 of 1.25 mV.
  func iio(_ number: Int, at address: String, shunt: String = "1159") throws {
    let folder = "devices/i2c/\(address)/iio:device\(number)"
    let files = [
      "name": "ina226", "in_voltage0_raw": shunt, "in_voltage0_scale": "0.002500000",
      "in_voltage1_raw": "2640", "in_voltage1_scale": "1.250000000",
      "in_sampling_frequency": "113", "in_shunt_resistor": "0.010000000",
    ]
    for (name, text) in files { try tree.write(text + "\n", to: "\(folder)/\(name)") }
    let parent = tree.scratch.file("bus/iio/devices")
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(parent)/iio:device\(number)", withDestinationPath: "../../../\(folder)")
  }

  func iioMonitor(_ settings: MonitorSettings = MonitorSettings()) -> IIOMonitor {
    IIOMonitor(settings, root: tree.root, clock: tree.clock)
  }

  /// Whatever in_shunt_resistor contains, the shunt's own voltage is used.
  @Test("IIO's current comes from the shunt's own voltage") func iioReadsTheShuntItself() throws {
    try iio(0, at: "1-0040")
    let monitor = iioMonitor()
    let reading = try monitor.read()
    #expect(abs(reading.current.value - 0.028_975) < 1e-12)
    #expect(abs(reading.voltage.value - 3.3) < 1e-9)
    #expect(monitor.name == "ina226 at 1-0040 (iio:device0)")
    #expect(abs(monitor.window.value - 1 / 113.0) < 1e-9)
    let again = try monitor.read()
    #expect(!again.isNew)
  }

  @Test("IIO reads negative currents") func iioNegativeCurrents() throws {
    try iio(0, at: "1-0040", shunt: "-40")
    #expect(abs(try iioMonitor().read().current.value + 0.001) < 1e-12)
  }

  @Test("an IIO device is selected by address, bus or name, and ambiguity is an error")
  func iioChoosesByAddressAndBus() throws {
    try iio(0, at: "1-0040", shunt: "400")
    try iio(1, at: "2-0041", shunt: "800")
    #expect(abs(try iioMonitor(MonitorSettings(address: 0x41)).read().current.value - 0.02) < 1e-12)
    let several = thrown(PortError.self) {
      try iioMonitor(MonitorSettings(address: nil)).read()
    }
    #expect(several?.message.contains("several") == true)
    let none = thrown(PortError.self) {
      try iioMonitor(MonitorSettings(bus: 7)).read()
    }
    #expect(none?.message.contains("ina226 at 2-0041 (iio:device1)") == true)
    let named = iioMonitor(MonitorSettings(device: "iio:device0"))
    #expect(abs(try named.read().current.value - 0.01) < 1e-12)
  }

  @Test("an IIO device is selected by its label, and a missing label is named")
  func iioChoosesByLabel() throws {
    try iio(0, at: "1-0040", shunt: "400")
    try iio(1, at: "1-0041", shunt: "800")
    try tree.write("gnss\n", to: "devices/i2c/1-0041/iio:device1/label")
    let labelled = MonitorSettings(address: nil, label: "gnss")
    #expect(abs(try iioMonitor(labelled).read().current.value - 0.02) < 1e-12)
    let none = thrown(PortError.self) {
      try iioMonitor(MonitorSettings(label: "gnss")).read()
    }
    #expect(none?.message.contains("with label \"gnss\"") == true)
  }

  @Test("an IIO device that disappeared is found again") func iioGoneAndBack() throws {
    try iio(0, at: "1-0040")
    let monitor = iioMonitor()
    _ = try monitor.read()
    try tree.write("", to: "devices/i2c/1-0040/iio:device0/in_voltage0_raw")
    tree.now = tree.now + 1
    let error = thrown(PortError.self) { try monitor.read() }
    #expect(error?.message.contains("in_voltage0_raw does not contain a number") == true)
    try tree.write("400\n", to: "devices/i2c/1-0040/iio:device0/in_voltage0_raw")
    #expect(abs(try monitor.read().current.value - 0.01) < 1e-12)
  }

  func battery(_ files: [String: String], name: String = "BAT0") throws {
    for (file, text) in files {
      try tree.write(text + "\n", to: "class/power_supply/\(name)/\(file)")
    }
  }

  func supply(_ device: String? = nil) -> PowerSupplyMonitor {
    PowerSupplyMonitor(
      MonitorSettings(device: device, nominalSupply: 3.7), root: tree.root, clock: tree.clock)
  }

  /// Drivers disagree on the sign; the status is reliable.
  @Test(
    "a discharging battery has a positive current",
    arguments: [
      ("Discharging", "250000", 0.25), ("Discharging", "-250000", 0.25),
      ("Charging", "250000", -0.25), ("Charging", "-250000", -0.25), ("Full", "1000", -0.001),
      ("Not charging", "-2000", 0.002),
    ])
  func batteryCurrentsFlowOut(status: String, current: String, amperes: Double) throws {
    try battery([
      "type": "Battery", "status": status, "current_now": current, "voltage_now": "3850000",
      "charge_counter": "2000000",
    ])
    try battery(["type": "Mains", "online": "1"], name: "AC")
    let monitor = supply()
    let reading = try monitor.read()
    #expect(abs(reading.current.value - amperes) < 1e-12)
    #expect(abs(reading.voltage.value - 3.85) < 1e-12)
    #expect(abs(try #require(reading.accumulatedCharge).value + 7200) < 1e-9)
    #expect(monitor.scope == .board && monitor.name == "power supply BAT0")
  }

  @Test("a value that a gauge repeats within a second is not new") func readAgain() throws {
    let files = ["type": "Battery", "status": "Discharging", "voltage_now": "3850000"]
    try battery(files.merging(["current_now": "250000"]) { $1 })
    let monitor = supply()
    #expect(try monitor.read().isNew)
    tree.now = tree.now + 0.5
    #expect(try !monitor.read().isNew)
    try battery(["current_now": "251000"])
    #expect(try monitor.read().isNew)
    #expect(try !monitor.read().isNew)
    // A steady load.
    tree.now = tree.now + 1
    #expect(try monitor.read().isNew)
  }

  @Test("power is used if there is no current") func powerStandsInForCurrent() throws {
    try battery([
      "type": "Battery", "status": "Discharging", "power_now": "1925000", "voltage_now": "3850000",
    ])
    #expect(abs(try supply().read().current.value - 0.5) < 1e-12)
  }

  /// A charger's status describes the battery's charging, not the direction of its own current.
  @Test("the current of an input is what the board draws", arguments: ["USB", "Mains", "Wireless"])
  func whatComesInAtAnInputIsDrawn(type: String) throws {
    try battery(
      ["type": type, "online": "1", "current_now": "700000", "voltage_now": "5000000"], name: "IN")
    #expect(abs(try supply("IN").read().current.value - 0.7) < 1e-12)
    try battery(["status": "Charging"], name: "IN")
    #expect(abs(try supply("IN").read().current.value - 0.7) < 1e-12)
  }

  @Test("a nominal voltage is marked as such") func withoutVoltageTheNominalOneIsSaidToBe() throws {
    try battery(["type": "Battery", "status": "Discharging", "current_now": "100000"])
    let reading = try supply().read()
    #expect(reading.voltage == 3.7 && !reading.isVoltageMeasured)
  }

  @Test("unusable supplies are refused with advice") func suppliesThatDoNotServe() throws {
    let none = thrown(PortError.self) { try supply().read() }
    #expect(none?.message.contains("power supplies here: none") == true)
    try battery(["type": "Battery", "status": "Discharging"])
    let empty = thrown(PortError.self) { try supply().read() }
    #expect(empty?.message.contains("current_now") == true)
    let wrong = thrown(PortError.self) { try supply("BAT1").read() }
    #expect(wrong?.message.contains("power supplies here: BAT0") == true)
  }
}
