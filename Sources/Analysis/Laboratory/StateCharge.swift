import Core

/// What flowed while one state was in force.
public struct StateCharge: Hashable, Sendable {
  /// Time whose current was measured.
  public internal(set) var measured: Seconds = 0
  /// Time in gaps between readings.
  public internal(set) var missing: Seconds = 0
  /// Time of states that ended before the monitor had converted anything of them alone.
  public internal(set) var unresolved: Seconds = 0
  /// How often it was entered, or found in force at the beginning.
  public internal(set) var periods = 0
  public internal(set) var charge: Coulombs = 0
  public internal(set) var energy: Joules = 0
  /// The same error in every reading.
  public internal(set) var systematicCharge: Coulombs = 0
  public internal(set) var peak: Amperes?
  /// Of `measured`, in which the monitor could not tell the current from none.
  var belowFloor: Seconds = 0

  /// Nil where no time was measured.
  public var meanCurrent: Amperes? { measured > 0 ? charge / measured : nil }

  /// Nil where no time was measured, or nobody says how exact the readings are.
  var systematicCurrent: Amperes? {
    measured > 0 && systematicCharge > .zero ? systematicCharge / measured : nil
  }

  public var isBelowFloor: Bool { measured > 0 && belowFloor * 2 > measured }

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

/// From `instant` on another state is in force.
struct StateChange: Hashable, Sendable {
  /// Nil: nobody knows which.
  let state: String?
  let instant: BootInstant
}
