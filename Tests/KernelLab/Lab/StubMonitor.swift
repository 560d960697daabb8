import Foundation
import ReceiverStandIns

/// An INA226 at address 0x40 of a bus that is a table of registers
/// (Documentation/i2c/i2c-stub.rst), with the kernel's own driver bound to it.
struct StubMonitor {
  static let bus = "/sys/bus/i2c/devices/i2c-0"
  static let device = bus + "/0-0040"

  /// Plugs the bus in, with a chip that has identity registers.
  static func plugIn(addresses: [Int] = [0x40]) throws {
    let list = addresses.map { "0x" + String($0, radix: 16) }.joined(separator: ",")
    try tool("modprobe", "-d", Bench.kernel, "i2c-stub", "chip_addr=\(list)")
    // TI SBOS547B, section 7.6: maker, die, configuration after reset.
    for (register, value) in [(0xfe, 0x5449), (0xff, 0x2260), (0, 0x4127)] {
      try set(register, to: value)
    }
  }

  /// Writes a register from the hardware's side. SMBus sends the low byte first, the chip expects
  /// the high one.
  static func set(_ register: Int, to value: Int, at address: Int = 0x40) throws {
    let word = UInt16(truncatingIfNeeded: value).byteSwapped
    try tool("i2cset", "-f", "-y", "0", "\(address)", "\(register)", "\(word)", "w")
  }

  static func unplug() throws { try tool("rmmod", "i2c-stub") }

  /// Announces the chip and its 100 mΩ shunt to the driver, as a device tree or an administrator
  /// does.
  static func bind(shunt: Int = 100_000) throws {
    try Kernel.write("ina226 0x40", to: bus + "/new_device")
    try Kernel.write(String(shunt), to: try hwmon() + "/shunt_resistor")
  }

  static func unbind() throws { try Kernel.write("0x40", to: bus + "/delete_device") }

  /// Writes the registers of shunt voltage, bus voltage, current and power (3.3 V), as the receiver
  /// does at a change of its current.
  static func show(milliamperes: Int) throws {
    let steps = milliamperes * 40
    for (register, value) in [(1, steps), (2, 2640), (4, steps), (3, steps * 2640 / 20_000)] {
      try set(register, to: value)
    }
  }

  /// The folder with the driver's values.
  static func hwmon() throws -> String {
    let folder = device + "/hwmon"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return folder + "/" + (try names.first.required("\(device) has no hwmon: is ina2xx bound?"))
  }
}

/// Runs a program to its end; throws with its output if it fails.
@discardableResult
func tool(_ program: String, _ arguments: String..., within seconds: Double = 60) throws -> String {
  let command = ([program] + arguments).joined(separator: " ")
  let process = try ChildProcess("/usr/bin/env", [program] + arguments)
    .required("\(command) does not start")
  let code = try process.exitCode(within: seconds).required("\(command) does not end")
  try require(code == 0, "\(command): exit code \(code): \(process.text)")
  return process.text
}
