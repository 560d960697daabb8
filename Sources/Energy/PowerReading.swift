import Quantities

/// One reading of a power monitor.
public struct PowerReading: Hashable, Sendable {
  /// When the value was taken, on the board's clock.
  public var taken: BootInstant
  public var current: Amperes
  public var voltage: Volts
  /// Total standard uncertainty of the current: shunt tolerance, gain, offset and quantisation.
  public var currentUncertainty: Amperes
  /// True when the current is too small for the monitor to distinguish from zero.
  public var isBelowFloor: Bool
  /// False when the monitor has converted nothing since the last reading: this repeats it, with its
  /// time.
  public var isNew: Bool
  /// False when nothing measures the voltage and the supply's nominal one is used.
  public var isVoltageMeasured: Bool
  /// The monitor's own accumulators, counted from an arbitrary moment; nil where it has none. Only
  /// differences are meaningful, and only while they do not fall: a fall is a reset.
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
}
