import Core

/// One reading of a power monitor.
public struct PowerReading: Hashable, Sendable {
  /// When the value was measured, on the boot clock.
  public var taken: BootInstant
  public var current: Amperes
  public var voltage: Volts
  /// Total standard uncertainty of the current: shunt tolerance, gain, offset and quantisation.
  public var currentUncertainty: Amperes
  /// True if the current is too small for the monitor to distinguish from zero.
  public var isBelowFloor: Bool
  /// False if the monitor has converted nothing since the last reading: this repeats that value and
  /// its time.
  public var isNew: Bool
  /// False if nothing measures the voltage, and the supply's nominal voltage is used.
  public var isVoltageMeasured: Bool
  /// The monitor's own accumulators, counted from an arbitrary moment; nil if it has none. Only
  /// differences are meaningful, and only while the value does not fall: a fall is a reset.
  public var accumulatedEnergy: Joules?
  public var accumulatedCharge: Coulombs?

  public init(
    taken: BootInstant, current: Amperes, voltage: Volts, currentUncertainty: Amperes,
    isBelowFloor: Bool = false, isNew: Bool = true, isVoltageMeasured: Bool = true,
    accumulatedEnergy: Joules? = nil, accumulatedCharge: Coulombs? = nil
  ) {
    self.taken = taken
    self.current = current
    self.voltage = voltage
    self.currentUncertainty = currentUncertainty
    self.isBelowFloor = isBelowFloor
    self.isNew = isNew
    self.isVoltageMeasured = isVoltageMeasured
    self.accumulatedEnergy = accumulatedEnergy
    self.accumulatedCharge = accumulatedCharge
  }

  public var power: Watts { current * voltage }

  /// Whether the current is negative beyond its uncertainty: 3 standard deviations.
  public var isReversed: Bool { current < currentUncertainty * -3 && !isBelowFloor }
}

/// The gain of a monitor's accumulators between two readings. It is exact over any gap, because the
/// chip integrates every conversion (INA228, SLYS021A, 7.3.2.4).
struct AccumulatedStretch {
  private let energy: Joules
  private let charge: Coulombs
  private let voltage: Volts
  private let time: Seconds

  /// - Parameter time: the time up to the later reading that is not integrated yet. If the state
  ///   changed between the readings, a part of the gain belongs to the earlier state. If that part
  ///   is more than a tenth, its size is unknown.
  /// - Returns: nil without accumulators, after a reset, or if the parts are unknown.
  init?(from a: PowerReading, to b: PowerReading, over time: Seconds) {
    guard let before = a.accumulatedEnergy, let after = b.accumulatedEnergy, after >= before,
      before.isFinite, after.isFinite, b.taken > a.taken
    else { return nil }
    let share = time / (b.taken - a.taken)
    guard share > 0.9, share <= 1.1 else { return nil }
    energy = (after - before) * share
    voltage = (a.voltage + b.voltage) * 0.5
    self.time = time
    if let earlier = a.accumulatedCharge, let later = b.accumulatedCharge, earlier.isFinite,
      later.isFinite, Self.fits(later - earlier, energy: after - before, at: voltage)
    {
      charge = (later - earlier) * share
    } else if voltage > 0 {
      charge = Coulombs(energy.value / voltage.value)
    } else {
      return nil
    }
  }

  /// The charge counter is signed, and wraps long before the energy counter: at 100 mΩ after 1.7
  /// MC, three weeks of 1 A (SLYS021A, 7.6.1.10: 40 bits). The energy must match the charge's
  /// magnitude, at a voltage that may change between the readings; after a wrap the difference is
  /// far larger.
  private static func fits(_ charge: Coulombs, energy: Joules, at voltage: Volts) -> Bool {
    charge.value.magnitude * voltage.value <= 2 * energy.value + 1000
  }

  /// - Parameter uncertainty: that of the mean current.
  func tally(uncertainty: Amperes) -> EnergySum {
    var tally = EnergySum()
    tally.duration = time
    tally.measuredDuration = time
    tally.charge = charge
    tally.measuredCharge = charge
    tally.energy = energy
    tally.systematic = uncertainty * voltage.magnitude * time
    return tally
  }
}
