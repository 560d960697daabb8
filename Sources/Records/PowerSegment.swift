import Quantities

/// The charge and energy that went into one uninterrupted GNSS state.
public struct PowerSegment: Hashable, Sendable {
  public enum Basis: String, Sendable, CaseIterable {
    /// Integrated from a monitor's readings.
    case measured
    /// From the board file's currents: no monitor, or it did not answer.
    case modelled
    /// Of the virtual board: no receiver has drawn it.
    case simulated
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

extension PowerSegment: StoredRecord {
  public static let table = RecordTable<Self>(
    "power_segments", "Charge and energy by GNSS state", key: .counted, time: "start",
    columns: [
      .word("state") { $0.state },
      .time("start") { $0.start },
      .quantity("duration_s") { $0.duration },
      .charge("charge_mAh") { $0.charge },
      .quantity("energy_J") { $0.energy },
      .optionalQuantity("energy_uncertainty_J") { $0.energyUncertainty },
      .word("basis") { $0.basis },
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(
      state: try row.word(1), start: try row.time(2), duration: try row.quantity(3),
      charge: try row.required(4, try row.optionalCharge(4)), energy: try row.quantity(5),
      energyUncertainty: try row.optionalQuantity(6), basis: try row.word(7))
  }

  public var record: Record { .powerSegment(self) }
  public var lastChange: UTCInstant? { start + duration }
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
