import Core

/// The charge and energy of one state.
public struct StateCharge: Hashable, Sendable {
  /// Time with a measured current.
  var measured: Seconds = 0
  /// Time in gaps between readings.
  var missing: Seconds = 0
  /// Time of states that ended before the monitor had a conversion of them alone.
  var unresolved: Seconds = 0
  /// The number of times it was entered, or present at the beginning.
  var periods = 0
  var charge: Coulombs = 0
  public internal(set) var energy: Joules = 0
  /// From the error common to all readings.
  var systematicCharge: Coulombs = 0
  var peak: Amperes?
  /// The part of `measured` in which the monitor could not distinguish the current from zero.
  var belowFloor: Seconds = 0

  /// Nil where no time was measured.
  var meanCurrent: Amperes? { measured > 0 ? charge / measured : nil }

  /// Nil where no time was measured, or the accuracy of the readings is unknown.
  var systematicCurrent: Amperes? {
    measured > 0 && systematicCharge > .zero ? systematicCharge / measured : nil
  }

  var isBelowFloor: Bool { measured > 0 && belowFloor * 2 > measured }

  static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.measured += b.measured
    sum.missing += b.missing
    sum.unresolved += b.unresolved
    sum.periods += b.periods
    sum.charge += b.charge
    sum.energy += b.energy
    sum.systematicCharge += b.systematicCharge
    sum.peak = [a.peak, b.peak].compactMap { $0 }.max()
    sum.belowFloor += b.belowFloor
    return sum
  }
}

/// A change of the state at `instant`.
struct StateChange: Hashable, Sendable {
  /// Nil: unknown.
  let state: String?
  let instant: BootInstant
}
