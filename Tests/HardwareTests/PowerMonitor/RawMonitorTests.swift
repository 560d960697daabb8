import Glibc
import Records
import Ports
import Core
import TestSupport
import Testing

@testable import Hardware

/// Chips without a driver, byte for byte.
@Suite struct RawMonitorTests {
  final class World {
    var now = BootInstant.zero + 1000
    var waited: [Seconds] = []
    var openings = 0
  }

  let world = World()

  func monitor(
    _ bus: RegisterPlayback, _ chip: MonitorChip, channel: Int = 1
  ) -> RawMonitor {
    let settings = MonitorSettings(chip: chip, bus: 1, channel: channel)
    return RawMonitor(
      settings, clock: { [world] in world.now }, wait: { [world] in world.waited.append($0) }
    ) { [world] () throws(RegisterFault) in
      world.openings += 1
      return bus
    }
  }

  /// After reset: correct die and maker, then the configuration, then the first value.
  /// 28.975 mA are 1159 = 0x0487 steps, 3.3 V are 2640 = 0x0A50.
  @Test("an INA226 fresh from reset is configured") func ina226FromReset() throws {
    let bus = RegisterPlayback([
      0xfe: [0x54, 0x49], 0xff: [0x22, 0x60], 0x00: [0x41, 0x27], 0x01: [0x04, 0x87],
      0x02: [0x0a, 0x50],
    ])
    let monitor = monitor(bus, .ina226)
    let reading = try monitor.read()
    #expect(bus.transcript == ["rfe", "rff", "r00", "w00=4527", "r01", "r02"])
    #expect(world.waited.count == 1 && abs(world.waited[0].value - 0.038_72) < 1e-9)
    #expect(abs(reading.current.value - 0.028_975) < 1e-12)
    #expect(abs(reading.voltage.value - 3.3) < 1e-9)
    #expect(reading.accumulatedEnergy == nil)
    bus.clear()
    world.now = world.now + 1
    _ = try monitor.read()
    #expect(bus.transcript == ["r01", "r02"])
    #expect(monitor.name == "ina226 at 0x40 on i2c-1")
  }

  /// Already set up by an earlier run: nothing is written, so the accumulators keep counting.
  /// 29 mA across 100 mΩ: 9280 = 0x2440 steps of 312.5 nV; 3.3 V: 16 896 = 0x4200 of 195.3125 µV.
  @Test("a configured INA228 is left as it is") func ina228ThatIsSetUp() throws {
    let bus = RegisterPlayback([
      0x3e: [0x54, 0x49], 0x3f: [0x22, 0x81], 0x00: [0, 0], 0x01: [0xbb, 0x6a], 0x02: [0x10, 0x00],
      0x04: [0x02, 0x44, 0x00], 0x05: [0x04, 0x20, 0x00], 0x09: [0, 0, 0, 0x27, 0x10],
      0x0a: [0, 0, 0x0f, 0x42, 0x40],
    ])
    let reading = try monitor(bus, .ina228).read()
    #expect(bus.transcript == ["r3e", "r3f", "r00", "r01", "r02", "r04", "r05", "r09", "r0a"])
    #expect(world.waited.isEmpty)
    #expect(abs(reading.current.value - 0.029) < 1e-12)
    #expect(abs(reading.voltage.value - 3.3) < 1e-9)
    // 10 000 × 160 µJ, 1 000 000 × 3.125 µC.
    #expect(abs(try #require(reading.accumulatedEnergy).value - 1.6) < 1e-9)
    #expect(abs(try #require(reading.accumulatedCharge).value - 3.125) < 1e-9)
  }

  /// The second channel: registers 3 and 4. 28.8 mA are 72 steps of 40 µV, 3 bits up 0x0240;
  /// 3.304 V are 413 of 8 mV, 0x0CE8.
  @Test("a channel of an ina3221 is identified, set up and read") func ina3221() throws {
    let bus = RegisterPlayback([
      0xfe: [0x54, 0x49], 0xff: [0x32, 0x20], 0x00: [0x71, 0x27], 0x03: [0x02, 0x40],
      0x04: [0x0c, 0xe8],
    ])
    let monitor = monitor(bus, .ina3221, channel: 2)
    let reading = try monitor.read()
    #expect(bus.transcript == ["rfe", "rff", "r00", "w00=7527", "r03", "r04"])
    #expect(abs(reading.current.value - 0.0288) < 1e-12)
    #expect(abs(reading.voltage.value - 3.304) < 1e-9)
    #expect(monitor.name.hasSuffix("channel 2"))
  }

  /// No identity register: the configuration must be the reset value or Godwit's.
  @Test("an ina219 with its reset configuration is set up and read") func ina219() throws {
    let bus = RegisterPlayback([
      0x00: [0x39, 0x9f], 0x01: [0x01, 0x22], 0x02: [0x19, 0xca],
    ])
    let reading = try monitor(bus, .ina219).read()
    #expect(bus.transcript == ["r00", "r00", "w00=3eef", "r01", "r02"])
    // 290 × 10 µV / 0.1 Ω; 0x19CA >> 3 = 825 × 4 mV.
    #expect(abs(reading.current.value - 0.029) < 1e-12)
    #expect(abs(reading.voltage.value - 3.3) < 1e-9)
  }

  @Test("an ina260 is read without a shunt") func ina260() throws {
    let bus = RegisterPlayback([
      0xfe: [0x54, 0x49], 0xff: [0x22, 0x70], 0x00: [0x65, 0x27], 0x01: [0x00, 0x18],
      0x02: [0x0f, 0xa0],
    ])
    let reading = try monitor(bus, .ina260).read()
    #expect(abs(reading.current.value - 0.03) < 1e-12 && abs(reading.voltage.value - 5) < 1e-9)
  }

  /// Another chip at the address: nothing is written to it.
  static let strangers: [(MonitorChip, UInt8, [UInt8], String)] = [
    (.ina226, 0xff, [0x22, 0x70], "0xff (die) contains 0x2270, not 0x2260"),
    (.ina226, 0xfe, [0, 0], "0xfe (maker) contains 0x0000, not 0x5449"),
    (.ina228, 0x3e, [0xff, 0xff], "0x3e (maker) contains 0xffff, not 0x5449"),
    (.ina219, 0x00, [0x45, 0x27], "0x00 (configuration) contains 0x4527, not 0x399f or 0x3eef"),
    (.ina219, 0x00, [0x3f, 0xff], "or another program has configured it"),
    (.ina3221, 0xff, [0x22, 0x60], "0xff (die) contains 0x2260, not 0x3220"),
  ]

  @Test(
    "nothing is written to another chip at the address, and the error says what it holds",
    arguments: strangers)
  func anotherChipIsLeftAlone(
    chip: MonitorChip, register: UInt8, bytes: [UInt8], said: String
  ) {
    let bus = RegisterPlayback([0xfe: [0x54, 0x49]])
    bus.registers[register] = bytes
    let error = thrown(PortError.self) { try monitor(bus, chip).read() }
    #expect(error?.message.contains(said) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("power_monitor.chip and power_monitor.address") == true)
    #expect(bus.transcript.allSatisfy { $0.hasPrefix("r") })
  }

  @Test(
    "every refusal of the bus says what to do",
    arguments: [
      (EBUSY, "power_monitor.kind = \"hwmon\""), (EREMOTEIO, "i2cdetect -y 1"),
      (ENODEV, "power_monitor.address"), (EACCES, "group i2c"),
      (ETIMEDOUT, "power_monitor.address"), (EOPNOTSUPP, "cannot do the transfer"),
    ])
  func refusalsSayWhatToDo(code: Int32, advice: String) {
    let bus = RegisterPlayback([:])
    bus.failure = code
    let error = thrown(PortError.self) { try monitor(bus, .ina226).read() }
    #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
  }

  /// The chip lost its supply, so it is opened, checked and set up again.
  @Test("a chip that comes back is configured again") func aChipThatComesBackIsSetUpAgain() throws {
    let bus = RegisterPlayback([
      0xfe: [0x54, 0x49], 0xff: [0x22, 0x60], 0x00: [0x45, 0x27], 0x01: [0x04, 0x87],
    ])
    let monitor = monitor(bus, .ina226)
    _ = try monitor.read()
    bus.failure = EREMOTEIO
    world.now = world.now + 1
    thrown(PortError.self) { try monitor.read() }
    bus.failure = nil
    bus.registers[0x00] = [0x41, 0x27]
    bus.clear()
    _ = try monitor.read()
    #expect(bus.transcript.contains("w00=4527") && world.openings == 2)
  }

  @Test("within one conversion the last value comes again, and the bus is quiet")
  func conversionsAreNotReadTwice() throws {
    let bus = RegisterPlayback([0xfe: [0x54, 0x49], 0xff: [0x22, 0x60], 0x00: [0x45, 0x27]])
    let monitor = monitor(bus, .ina226)
    let first = try monitor.read()
    bus.clear()
    world.now = world.now + 0.03
    let again = try monitor.read()
    #expect(!again.isNew && again.taken == first.taken && bus.transcript.isEmpty)
  }

  static let readRaw: [MonitorChip] = MonitorChip.allCases.filter(\.isReadRaw)

  /// Every register may hold any value once the chip is identified.
  @Test("any bytes of a known chip become a reading within its range", arguments: readRaw)
  func anyBytesAreAFiniteReading(chip: MonitorChip) throws {
    var random = SplitMix(seed: 3)
    let registers = try #require(MonitorRegisters(chip))
    for _ in 0..<200 {
      let bus = RegisterPlayback([:])
      for register in [registers.shunt, registers.bus, registers.energy, registers.charge] {
        if let register { bus.registers[register.address] = random.bytes(register.bytes) }
      }
      for setup in registers.setup {
        bus.registers[setup.address] = [UInt8(setup.word >> 8), UInt8(setup.word & 0xff)]
      }
      for identity in registers.identities {
        bus.registers[identity.address] = [
          UInt8(identity.words.last! >> 8), UInt8(identity.words.last! & 0xff),
        ]
      }
      let reading = try monitor(bus, chip).read()
      // No shunt's full range is above 820 mV over 100 mΩ, or above 82 mV over 2 mΩ.
      #expect(reading.current.magnitude < 50 && reading.voltage >= 0)
      #expect(reading.accumulatedEnergy?.isFinite ?? true)
      #expect(bus.transcript.allSatisfy { $0.hasPrefix("r") })
    }
  }

  @Test("short answers are refused") func shortAnswersAreNoAnswers() {
    let bus = RegisterPlayback([0xfe: [0x54]])
    let error = thrown(PortError.self) { try monitor(bus, .ina226).read() }
    #expect(error?.message.contains("cannot read register") == true)
  }

  @Test("a missing bus is reported") func aMissingBusIsSaid() {
    let monitor = RawMonitor(MonitorSettings(bus: 254))
    let error = thrown(PortError.self) { try monitor.read() }
    #expect(error?.message.contains("open /dev/i2c-254") == true)
    #expect(error?.message.contains("power_monitor.bus") == true)
  }
}
