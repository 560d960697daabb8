import Core

/// The registers of a monitor chip that is read without a driver, and their encoding. All registers
/// are big-endian.
public struct MonitorRegisters: Hashable, Sendable {
  /// A register to read: its address and its size in bytes.
  public struct Register: Hashable, Sendable {
    public let address: UInt8
    public let bytes: Int

    public init(address: UInt8, bytes: Int) {
      self.address = address
      self.bytes = bytes
    }
  }

  /// A register to write before the first reading, and its value.
  public struct Setup: Hashable, Sendable {
    public let address: UInt8
    public let word: UInt16
  }

  /// Identifies the chip: a register, a bit mask, and the expected values.
  public struct Identity: Hashable, Sendable {
    public let address: UInt8
    public let mask: UInt16
    public let words: [UInt16]
    /// For messages: "maker", "die", "configuration".
    public let meaning: String

    /// For a chip without an identity register: other programs can change this register.
    public var isSetByOthers: Bool { meaning == "configuration" }
  }

  public let identities: [Identity]
  public let setup: [Setup]
  public let shunt: Register
  public let bus: Register
  public let energy: Register?
  public let charge: Register?
  /// The time between two averaged values, with `setup`.
  public let window: Seconds
  /// Unused bits below the value, in the shunt register and in the bus register.
  let shuntShift: Int
  let busShift: Int
  let facts: MonitorFacts

  /// A signed number of up to eight bytes.
  static func signed(_ bytes: [UInt8]) -> Int64 {
    let bits = bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let unused = 64 - 8 * bytes.count
    return (bits << Int64(unused)) >> Int64(unused)
  }

  static func unsigned(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  /// - Parameter shunt: for chips without an internal resistor.
  public func current(_ bytes: [UInt8], shunt: Ohms) -> Amperes {
    let counts = Double(Self.signed(bytes) >> Int64(shuntShift))
    return facts.shuntStep * counts / (facts.internalShunt ?? shunt)
  }

  public func voltage(_ bytes: [UInt8]) -> Volts {
    facts.busStep * Double(Self.signed([0] + bytes) >> Int64(busShift))
  }

  /// One step is 16 × 3.2 × that of the current (INA228, SLYS021A, 7.6.1.9).
  public func accumulatedEnergy(_ bytes: [UInt8], shunt: Ohms) -> Joules {
    let step = facts.shuntStep / shunt
    return Joules(Double(Self.unsigned(bytes)) * 16 * 3.2 * step.value)
  }

  /// One step is that of the current times one second (INA228, SLYS021A, 7.6.1.10).
  public func accumulatedCharge(_ bytes: [UInt8], shunt: Ohms) -> Coulombs {
    let step = facts.shuntStep / shunt
    return Coulombs(Double(Self.signed(bytes)) * step.value)
  }
}

extension MonitorRegisters {
  /// Nil for chips that are read through their kernel driver only.
  public init?(_ chip: MonitorChip, channel: Int = 1) {
    switch chip {
    case .ina219, .ina220: self = Self.ina219
    case .ina226: self = Self.ina226
    case .ina230, .ina231: self = Self.ina230
    case .ina260: self = Self.ina260
    case .ina228: self = Self.ina228
    case .ina3221: self = Self.ina3221(channel)
    case .ina237, .ina238, .ltc2945: return nil
    }
  }

  private static func maker(_ address: UInt8) -> Identity {
    // "TI" in ASCII.
    Identity(address: address, mask: 0xffff, words: [0x5449], meaning: "maker")
  }

  /// SBOS448G, table 2. No identity register: the configuration must be the reset value (also the
  /// kernel driver's) or the one below: 32 V, gain 1/8, 32 samples of 532 µs each, continuous.
  private static let ina219 = MonitorRegisters(
    identities: [
      Identity(address: 0, mask: 0xffff, words: [0x399f, 0x3eef], meaning: "configuration")
    ],
    setup: [Setup(address: 0, word: 0x3eef)],
    shunt: Register(address: 1, bytes: 2), bus: Register(address: 2, bytes: 2), energy: nil,
    charge: nil,
    window: 0.03404, shuntShift: 0, busShift: 3, facts: MonitorChip.ina219.facts)

  /// SBOS547B, table 4. 16 × (1.1 + 1.1) ms, continuous.
  private static let ina226 = MonitorRegisters(
    identities: [
      maker(0xfe), Identity(address: 0xff, mask: 0xfff0, words: [0x2260], meaning: "die"),
    ],
    setup: [Setup(address: 0, word: 0x4527)],
    shunt: Register(address: 1, bytes: 2), bus: Register(address: 2, bytes: 2), energy: nil,
    charge: nil,
    window: 0.0352, shuntShift: 0, busShift: 0, facts: MonitorChip.ina226.facts)

  /// SBOS601, table 3: no identity register; the configuration is the reset value, the driver's or
  /// Godwit's.
  private static let ina230 = MonitorRegisters(
    identities: [
      Identity(address: 0, mask: 0xffff, words: [0x4127, 0x4527], meaning: "configuration")
    ],
    setup: [Setup(address: 0, word: 0x4527)],
    shunt: Register(address: 1, bytes: 2), bus: Register(address: 2, bytes: 2), energy: nil,
    charge: nil,
    window: 0.0352, shuntShift: 0, busShift: 0, facts: MonitorChip.ina230.facts)

  /// SBOS656C, table 4: register 1 is the current itself, in steps of 1.25 mA.
  private static let ina260 = MonitorRegisters(
    identities: [
      maker(0xfe), Identity(address: 0xff, mask: 0xfff0, words: [0x2270], meaning: "die"),
    ],
    setup: [Setup(address: 0, word: 0x6527)],
    shunt: Register(address: 1, bytes: 2), bus: Register(address: 2, bytes: 2), energy: nil,
    charge: nil,
    window: 0.0352, shuntShift: 0, busShift: 0, facts: MonitorChip.ina260.facts)

  /// SLYS021A, table 7-3. Range ±163.84 mV; 16 × (1.052 + 1.052) ms, continuous. With SHUNT_CAL =
  /// 13107.2e6 × 312.5 nV = 4096, one step of the current corresponds to one of the shunt voltage,
  /// for any resistor.
  private static let ina228 = MonitorRegisters(
    identities: [
      maker(0x3e), Identity(address: 0x3f, mask: 0xfff0, words: [0x2280], meaning: "die"),
    ],
    setup: [
      Setup(address: 0, word: 0), Setup(address: 1, word: 0xbb6a), Setup(address: 2, word: 4096),
    ],
    shunt: Register(address: 4, bytes: 3), bus: Register(address: 5, bytes: 3),
    energy: Register(address: 9, bytes: 5), charge: Register(address: 10, bytes: 5),
    window: 0.0337, shuntShift: 4, busShift: 4, facts: MonitorChip.ina228.facts)

  /// SBOS576B, table 3. All three channels, 16 × (1.1 + 1.1) ms each, continuous.
  private static func ina3221(_ channel: Int) -> MonitorRegisters {
    let first = UInt8(clamping: 2 * (channel - 1))
    return MonitorRegisters(
      identities: [
        maker(0xfe), Identity(address: 0xff, mask: 0xffff, words: [0x3220], meaning: "die"),
      ],
      setup: [Setup(address: 0, word: 0x7527)],
      shunt: Register(address: first + 1, bytes: 2), bus: Register(address: first + 2, bytes: 2),
      energy: nil, charge: nil, window: 0.1056, shuntShift: 3, busShift: 3,
      facts: MonitorChip.ina3221.facts)
  }
}
