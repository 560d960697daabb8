import Quantities

/// One reading of a power monitor.
public struct PowerReading: Hashable, Sendable {
  /// When the value was taken, on the board's clock.
  public var taken: BootInstant
  public var current: Amperes
  public var voltage: Volts
  /// Total standard uncertainty of the current: shunt tolerance, gain, offset and quantisation.
  public var currentUncertainty: Amperes
  /// True when the current is smaller than the monitor can tell from nothing.
  public var isBelowFloor: Bool

  public init(
    taken: BootInstant, current: Amperes, voltage: Volts, currentUncertainty: Amperes,
    isBelowFloor: Bool = false
  ) {
    self.taken = taken
    self.current = current
    self.voltage = voltage
    self.currentUncertainty = currentUncertainty
    self.isBelowFloor = isBelowFloor
  }

  public var power: Watts { current * voltage }
}
