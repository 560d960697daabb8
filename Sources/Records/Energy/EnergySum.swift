import Core

/// Charge and energy of a period, with their uncertainty.
public struct EnergySum: Hashable, Sendable {
  public internal(set) var duration: Seconds = 0
  /// The part of `duration` that a monitor measured; the rest is from the board file's currents.
  public internal(set) var measuredDuration: Seconds = 0
  public internal(set) var charge: Coulombs = 0
  public internal(set) var energy: Joules = 0
  /// The part of `charge` that flowed during `measuredDuration`.
  public internal(set) var measuredCharge: Coulombs = 0
  /// The part of `measuredDuration` in which the current was indistinguishable from zero.
  var belowFloorDuration: Seconds = 0
  /// From shunt, gain and offset: the same relative error in every reading, so that it grows with
  /// the energy and does not average out.
  var systematic: Joules = 0
  /// The square of the part that averages out, in square joules.
  var scatterSquared = 0.0

  public init() {}

  /// Standard uncertainty of the measured part of `energy` (JCGM 100:2008, "GUM"); nil if nothing
  /// was measured. The modelled part has no known uncertainty.
  public var energyUncertainty: Joules? {
    guard measuredDuration > 0 else { return nil }
    return Joules((systematic.value * systematic.value + scatterSquared).squareRoot())
  }

  /// The uncertainty if most of the energy was measured; nil otherwise, because that of the
  /// measured part alone would be too small.
  public var knownUncertainty: Joules? {
    basis == .measured && measuredShare >= 0.5 ? energyUncertainty : nil
  }

  /// The uncertainty of the charge. A monitor's uncertainty concerns the current, and the voltage
  /// is a factor, so that it is the same fraction of charge and energy.
  public var chargeUncertainty: Coulombs? {
    guard let knownUncertainty, energy.value != 0 else { return nil }
    return charge * (knownUncertainty / energy).magnitude
  }

  /// The measured fraction of the charge, 0 to 1.
  public var measuredShare: Double {
    guard charge.value != 0 else { return measuredDuration > 0 ? 1 : 0 }
    return min(1, max(0, measuredCharge / charge))
  }

  /// Whether the current was below the monitor's floor for most of the measured time, so that only
  /// an upper limit of the energy is known.
  public var isBelowFloor: Bool {
    guard basis == .measured, let energyUncertainty else { return false }
    return belowFloorDuration * 2 > measuredDuration && energy <= energyUncertainty
  }

  /// `measured` if a monitor measured at least half of the time.
  public var basis: PowerSegment.Basis {
    measuredDuration.value > 0 && measuredDuration * 2 >= duration ? .measured : .modelled
  }

  /// The amount added since an earlier state of the same sum.
  public func since(_ earlier: Self) -> Self {
    var rest = self
    rest.duration -= earlier.duration
    rest.measuredDuration -= earlier.measuredDuration
    rest.charge -= earlier.charge
    rest.energy -= earlier.energy
    rest.measuredCharge -= earlier.measuredCharge
    rest.belowFloorDuration -= earlier.belowFloorDuration
    rest.systematic -= earlier.systematic
    rest.scatterSquared = max(0, scatterSquared - earlier.scatterSquared)
    return rest
  }

  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.duration += b.duration
    sum.measuredDuration += b.measuredDuration
    sum.charge += b.charge
    sum.energy += b.energy
    sum.measuredCharge += b.measuredCharge
    sum.belowFloorDuration += b.belowFloorDuration
    sum.systematic += b.systematic
    sum.scatterSquared += b.scatterSquared
    return sum
  }
}

/// Charge and energy of each state since the meter started.
public struct EnergyTotals: Hashable, Sendable {
  var tallies: [GnssState: EnergySum] = [:]

  public subscript(state: GnssState) -> EnergySum { tallies[state] ?? EnergySum() }

  /// Powered and delivering output: the time that `gnss_on_s` counts.
  public var on: EnergySum { self[.acquiring] + self[.tracking] }

  /// Switched off, whether or not a coarse source was queried meanwhile.
  var resting: EnergySum { self[.off] + self[.coarse] }

  /// All consumption of the receiver, including backup and sleep.
  public var all: EnergySum { on + self[.sleeping] + resting }
}

/// One uninterrupted state with its charge and energy, by the boot clock.
public struct StateInterval: Hashable, Sendable {
  public var state: GnssState
  public var start: BootInstant
  public var tally: EnergySum
  /// Whether the board is virtual.
  var isSimulated = false

  var basis: PowerSegment.Basis { isSimulated ? .simulated : tally.basis }
}

extension PowerSegment {
  /// The interval as a record; `start` is its beginning in UTC. A mostly modelled interval has no
  /// uncertainty: that of its measured part would be too small.
  public init(_ interval: StateInterval, start: UTCInstant) {
    self.init(
      state: interval.state, start: start, duration: interval.tally.duration,
      charge: interval.tally.charge, energy: interval.tally.energy,
      energyUncertainty: interval.tally.knownUncertainty,
      basis: interval.basis)
  }
}
