import Core

/// A supported current monitor, by the device name of its kernel driver.
public enum MonitorChip: String, Sendable, CaseIterable {
  case ina219, ina220, ina226, ina228, ina230, ina231, ina237, ina238, ina260, ina3221, ltc2945
}

extension MonitorChip {
  /// The number of channels, each with its own shunt.
  public var channels: Int { self == .ina3221 ? 3 : 1 }

  /// Whether the kernel's IIO driver ina2xx-adc drives it (drivers/iio/adc/ina2xx-adc.c).
  public var hasIIODriver: Bool {
    switch self {
    case .ina219, .ina220, .ina226, .ina230, .ina231: true
    case .ina228, .ina237, .ina238, .ina260, .ina3221, .ltc2945: false
    }
  }

  /// Whether Godwit can read its registers without a driver.
  public var isReadRaw: Bool {
    switch self {
    case .ina219, .ina220, .ina226, .ina228, .ina230, .ina231, .ina260, .ina3221: true
    case .ina237, .ina238, .ltc2945: false
    }
  }
}

/// The figures of a monitor chip's data sheet. Limits are the maxima of the poorest grade at 25 °C.
public struct MonitorFacts: Hashable, Sendable {
  /// One step of the shunt voltage.
  public let shuntStep: Volts
  /// One step of the bus voltage.
  public let busStep: Volts
  /// The largest shunt voltage that can be measured; readings saturate there.
  public let shuntRange: Volts
  /// Largest offset of the shunt voltage.
  let offset: Volts
  /// Largest relative gain error.
  let gain: Double
  /// One step of its power register over one step of its current register, in volts; nil if it has
  /// no power register.
  public let powerFactor: Volts?
  /// The internal resistor, if the chip has one; its tolerance is part of `gain`.
  public let internalShunt: Ohms?
  /// The time between two averaged values, as configured by the kernel driver and by Godwit.
  public let window: Seconds
}

extension MonitorChip {
  public var facts: MonitorFacts {
    switch self {
    case .ina219, .ina220: Self.ina219Facts
    case .ina226: Self.ina226Facts
    case .ina230, .ina231: Self.ina230Facts
    case .ina260: Self.ina260Facts
    case .ina237: Self.ina237Facts
    case .ina238: Self.ina238Facts
    case .ina228: Self.ina228Facts
    case .ina3221: Self.ina3221Facts
    case .ltc2945: Self.ltc2945Facts
    }
  }

  /// TI SBOS448G (INA219) and SBOS459 (INA220), grade A at gain 1/8. The kernel's configuration
  /// 0x399F converts once each way, 532 µs, without averaging (ina2xx.c).
  private static let ina219Facts = MonitorFacts(
    shuntStep: 10e-6, busStep: 4e-3, shuntRange: 0.32, offset: 200e-6, gain: 0.005, powerFactor: 20,
    internalShunt: nil, window: 0.001064)

  /// TI SBOS547B. 16 × (1.1 + 1.1) ms (ina2xx.c: 0x4527).
  private static let ina226Facts = MonitorFacts(
    shuntStep: 2.5e-6, busStep: 1.25e-3, shuntRange: 0.081_92, offset: 10e-6, gain: 0.001,
    powerFactor: 25,
    internalShunt: nil, window: 0.0352)

  /// TI SBOS601 (INA230; the INA231 likewise): the registers of the INA226 with wider limits.
  private static let ina230Facts = MonitorFacts(
    shuntStep: 2.5e-6, busStep: 1.25e-3, shuntRange: 0.081_92, offset: 50e-6, gain: 0.005,
    powerFactor: 25,
    internalShunt: nil, window: 0.0352)

  /// TI SBOS656C: steps of 1.25 mA and 10 mW, 5 mA of offset, across an internal 2 mΩ.
  private static let ina260Facts = MonitorFacts(
    shuntStep: 2.5e-6, busStep: 1.25e-3, shuntRange: 0.081_92, offset: 10e-6, gain: 0.0015,
    powerFactor: 8,
    internalShunt: 0.002, window: 0.0352)

  /// TI SBOSA20A. 16 × 3 × 1.052 ms (ina238.c: 0xFB6A, with the temperature).
  private static let ina237Facts = MonitorFacts(
    shuntStep: 5e-6, busStep: 3.125e-3, shuntRange: 0.163_84, offset: 50e-6, gain: 0.003,
    powerFactor: 0.2,
    internalShunt: nil, window: 0.0505)

  /// TI SLYS025, page 1.
  private static let ina238Facts = MonitorFacts(
    shuntStep: 5e-6, busStep: 3.125e-3, shuntRange: 0.163_84, offset: 5e-6, gain: 0.001,
    powerFactor: 0.2,
    internalShunt: nil, window: 0.0505)

  /// TI SLYS021A, range of ±163.84 mV: 20 bits.
  private static let ina228Facts = MonitorFacts(
    shuntStep: 312.5e-9, busStep: 195.3125e-6, shuntRange: 0.163_84, offset: 1e-6, gain: 0.0005,
    powerFactor: 3.2,
    internalShunt: nil, window: 0.0505)

  /// TI SBOS576B. Three channels, one after the other, 1.1 + 1.1 ms each (ina3221.c: 0x7127).
  private static let ina3221Facts = MonitorFacts(
    shuntStep: 40e-6, busStep: 8e-3, shuntRange: 0.1638, offset: 80e-6, gain: 0.0025,
    powerFactor: nil,
    internalShunt: nil, window: 0.0066)

  /// Linear Technology 2945fa, page 4: 12 bits over 102.4 mV, ±3.1 steps of offset, 7.5 values a
  /// second.
  private static let ltc2945Facts = MonitorFacts(
    shuntStep: 25e-6, busStep: 25e-3, shuntRange: 0.1024, offset: 77.5e-6, gain: 0.0075,
    powerFactor: 0.025,
    internalShunt: nil, window: 0.134)
}

/// The accuracy of a monitor's current: the limits of its data sheet and of its resistor.
public struct MonitorAccuracy: Hashable, Sendable {
  /// Largest offset of the current.
  public var offset: Amperes
  /// Largest relative error of the chip.
  public var gain: Double
  /// Largest relative error of the resistor.
  public var shuntTolerance: Double
  /// One step of the reading.
  public var step: Amperes

  public init(offset: Amperes, gain: Double, shuntTolerance: Double, step: Amperes) {
    self.offset = offset
    self.gain = gain
    self.shuntTolerance = shuntTolerance
    self.step = step
  }

  /// - Parameters:
  ///   - shunt: the resistor across which the chip measures; ignored if the chip has its own.
  ///   - coarsest: the coarsest step in the calculation, if that is not the converter's.
  public init(_ chip: MonitorChip, shunt: Ohms, tolerance: Double, coarsest: Amperes = 0) {
    let facts = chip.facts
    let resistor = facts.internalShunt ?? shunt
    offset = facts.offset / resistor
    gain = facts.gain
    shuntTolerance = facts.internalShunt == nil ? tolerance : 0
    step = max(facts.shuntStep / resistor, coarsest)
  }

  /// Total standard uncertainty. Limits count as rectangular distributions (limit / √3; a step is ±
  /// half of itself), added in quadrature: JCGM 100:2008 (GUM), 4.3.7.
  public func uncertainty(of current: Amperes) -> Amperes {
    let parts: [Amperes] = [current * shuntTolerance, current * gain, offset, step * 0.5]
    let squares: Double = parts.reduce(0) { sum, part in sum + part.value * part.value }
    return Amperes((squares / 3).squareRoot())
  }

  /// The largest reading at zero current: full offset and one step.
  public var floor: Amperes { offset + step }

  public func isBelowFloor(_ current: Amperes) -> Bool { current.magnitude <= floor }
}

extension PowerReading {
  /// A reading with its uncertainty from its monitor's accuracy.
  public init(
    taken: BootInstant, current: Amperes, voltage: Volts, accuracy: MonitorAccuracy
  ) {
    self.init(
      taken: taken, current: current, voltage: voltage,
      currentUncertainty: accuracy.uncertainty(of: current),
      isBelowFloor: accuracy.isBelowFloor(current))
  }
}
