import Energy
import Quantities

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
  ///   - shunt: across which the chip measures; ignored where it has its own.
  ///   - coarsest: the coarsest step in the calculation, where that is not the converter's.
  public init(_ chip: MonitorChip, shunt: Ohms, tolerance: Double, coarsest: Amperes = 0) {
    let facts = chip.facts
    let resistor = facts.internalShunt ?? shunt
    offset = facts.offset / resistor
    gain = facts.gain
    shuntTolerance = facts.internalShunt == nil ? tolerance : 0
    step = max(facts.shuntStep / resistor, coarsest)
  }

  /// Total standard uncertainty. Limits count as rectangular distributions (limit / √3; a step is ±
  /// half of itself), added as squares: JCGM 100:2008 (GUM), 4.3.7.
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
