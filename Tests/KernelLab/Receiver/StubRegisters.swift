import Glibc
import Core
import Records

/// The receiver's consumption in the registers of an INA226 across 100 mΩ (TI SBOS547B, section
/// 7.6): 25 µA, 1.25 mV and 625 µW per step.
struct GnssDraw: Hashable {
  let state: GnssState
  let currentSteps: Int
  let voltageSteps: Int

  static let ampere = 25e-6
  static let volt = 1.25e-3

  init(state: GnssState, current: Amperes, voltage: Volts) {
    self.state = state
    currentSteps = Int((current.value / Self.ampere).rounded())
    voltageSteps = Int((voltage.value / Self.volt).rounded())
  }

  var shownAmperes: Double { Double(currentSteps) * Self.ampere }
  var shownVolts: Double { Double(voltageSteps) * Self.volt }
  /// Section 7.5.2: power = current × bus voltage / 20,000.
  var powerSteps: Int { currentSteps * voltageSteps / 20_000 }
}

/// The registers of the INA226 simulated by i2c-stub, written from the hardware's side.
struct StubRegisters {
  let path: String
  static let address: Int32 = 0x40

  /// Shunt voltage, bus voltage, current and power: the stub derives none from the others. An
  /// unplugged bus shows nothing, and an open bus could not be unplugged.
  func show(_ draw: GnssDraw) {
    let bus = open(path, O_RDWR | O_CLOEXEC)
    guard bus >= 0 else { return }
    defer { close(bus) }
    // The driver owns the address, so another process needs to force its use (linux/i2c-dev.h).
    let slaveForce: UInt = 0x0706
    guard ioctl(bus, slaveForce, Self.address) == 0 else { return }
    // 2.5 µV across 100 mΩ are 25 µA, so both registers have the same number.
    write(draw.currentSteps, to: 1, on: bus)
    write(draw.voltageSteps, to: 2, on: bus)
    write(draw.currentSteps, to: 4, on: bus)
    write(draw.powerSteps, to: 3, on: bus)
  }

  private func write(_ value: Int, to register: UInt8, on bus: Int32) {
    // SMBus sends the low byte first, the chip expects the high one.
    var word = UInt16(truncatingIfNeeded: value).byteSwapped
    withUnsafeMutablePointer(to: &word) { pointer in
      var request = SMBusRequest(
        readWrite: 0, command: register, size: 3, data: UnsafeMutableRawPointer(pointer))
      let smbus: UInt = 0x0720
      withUnsafeMutablePointer(to: &request) {
        _ = ioctl(bus, smbus, UnsafeMutableRawPointer($0))
      }
    }
  }
}

/// `struct i2c_smbus_ioctl_data` of linux/i2c-dev.h.
private struct SMBusRequest {
  var readWrite: UInt8
  var command: UInt8
  var size: UInt32
  var data: UnsafeMutableRawPointer
}
