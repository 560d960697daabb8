import Quantities

/// The charge and energy that went into one uninterrupted GNSS state.
public struct PowerSegment: Hashable, Sendable {
  public enum Basis: String, Sendable, CaseIterable {
    /// Integrated from a monitor's readings.
    case measured
    /// From the board file's currents: no monitor, or it did not answer.
    case modelled
  }

  public var state: GnssState
  public var start: UTCInstant
  public var duration: Seconds
  public var charge: Coulombs
  public var energy: Joules
  /// Standard uncertainty of `energy`; nil when it is modelled from figures without one.
  public var energyUncertainty: Joules?
  public var basis: Basis

  public init(
    state: GnssState, start: UTCInstant, duration: Seconds, charge: Coulombs, energy: Joules,
    energyUncertainty: Joules? = nil, basis: Basis
  ) {
    self.state = state
    self.start = start
    self.duration = duration
    self.charge = charge
    self.energy = energy
    self.energyUncertainty = energyUncertainty
    self.basis = basis
  }
}

/// What the receiver is doing, as far as its supply current is concerned.
public enum GnssState: String, Sendable, CaseIterable {
  case off
  /// Off, while a coarse source is asked where the board is. The receiver draws what it does while
  /// off; what the rest of the board draws is another matter.
  case coarse
  /// Asleep by command, its supply kept.
  case sleeping
  /// Powered and searching.
  case acquiring
  /// Powered and delivering fixes.
  case tracking
}
