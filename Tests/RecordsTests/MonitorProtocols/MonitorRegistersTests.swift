import Records
import Core
import Testing

/// Bytes from the examples of the data sheets.
@Suite struct MonitorRegistersTests {
  func registers(_ chip: MonitorChip, channel: Int = 1) throws -> MonitorRegisters {
    try #require(MonitorRegisters(chip, channel: channel))
  }

  /// SBOS448G, 8.6.3.1: gain 1/8, −320 mV is 0x8300. 8.6.3.2: 32 V is 0x1F40 counts, three bits up.
  @Test("the registers of an ina219 read as in its data sheet's examples") func ina219() throws {
    let registers = try registers(.ina219)
    #expect(abs(registers.current([0x83, 0x00], shunt: 0.1).value + 3.2) < 1e-12)
    #expect(abs(registers.voltage([0xfa, 0x00]).value - 32) < 1e-9)
    // CNVR and OVF below the value change nothing.
    #expect(abs(registers.voltage([0xfa, 0x03]).value - 32) < 1e-9)
  }

  /// SBOS547B, 6.6.2 and table 8: −80 mV is 0x8300; 11.98 V is 0x2570; 20 mV is 0x1F40.
  @Test("the registers of an ina226 read as in its data sheet's examples") func ina226() throws {
    let registers = try registers(.ina226)
    #expect(abs(registers.current([0x83, 0x00], shunt: 0.002).value + 40) < 1e-9)
    #expect(abs(registers.current([0x1f, 0x40], shunt: 0.002).value - 10) < 1e-9)
    #expect(abs(registers.voltage([0x25, 0x70]).value - 11.98) < 1e-9)
    #expect(registers.identities.map(\.words) == [[0x5449], [0x2260]])
  }

  /// SBOS656C: 10 A is 8000 steps of 1.25 mA, whatever resistor the settings name.
  @Test("the registers of an ina260 read the same whatever shunt is set") func ina260() throws {
    let registers = try registers(.ina260)
    #expect(abs(registers.current([0x1f, 0x40], shunt: 0.1).value - 10) < 1e-9)
  }

  /// SLYS021A, 8.2.2: 24 bits with four unused ones below. 48 V is 245 760 steps of 195.3125 µV,
  /// 100 mA across 16.2 mΩ are 5184 steps of 312.5 nV.
  @Test("an ina228's registers and its sums of energy and charge read as in its data sheet")
  func ina228() throws {
    let registers = try registers(.ina228)
    #expect(abs(registers.voltage([0x3c, 0x00, 0x00]).value - 48) < 1e-9)
    #expect(abs(registers.current([0x01, 0x44, 0x00], shunt: 0.0162).value - 0.1) < 1e-9)
    #expect(abs(registers.current([0xfe, 0xbc, 0x00], shunt: 0.0162).value + 0.1) < 1e-9)
    // 1000 steps of energy across 100 mΩ are 1000 × 51.2 × 3.125 µA = 160 mJ.
    let energy = registers.accumulatedEnergy([0, 0, 0, 0x03, 0xe8], shunt: 0.1)
    #expect(abs(energy.value - 0.16) < 1e-12)
    // −2 steps of charge: the accumulator is signed.
    let charge = registers.accumulatedCharge([0xff, 0xff, 0xff, 0xff, 0xfe], shunt: 0.1)
    #expect(abs(charge.value + 6.25e-6) < 1e-15)
    let all = registers.accumulatedEnergy([0xff, 0xff, 0xff, 0xff, 0xff], shunt: 0.1)
    #expect(all > 1e8)
  }

  /// SBOS576B: −80 mV are −2000 steps of 40 µV, three bits up 0xC180; 32 V are 4000 of 8 mV.
  @Test("every channel of an ina3221 has its own registers, read as in its data sheet")
  func ina3221() throws {
    for channel in 1...3 {
      let registers = try registers(.ina3221, channel: channel)
      #expect(registers.shunt.address == UInt8(2 * channel - 1))
      #expect(registers.bus.address == UInt8(2 * channel))
      let current = registers.current([0xc1, 0x80], shunt: 0.1)
      #expect(abs(current.value + 0.8) < 1e-12)
      #expect(abs(registers.voltage([0x7d, 0x00]).value - 32) < 1e-9)
    }
  }

  @Test("only chips that are read without a driver have registers", arguments: MonitorChip.allCases)
  func onlyChipsThatAreReadRawHaveRegisters(chip: MonitorChip) {
    #expect((MonitorRegisters(chip) != nil) == chip.isReadRaw)
  }
}
