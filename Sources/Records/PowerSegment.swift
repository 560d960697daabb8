import Core

/// The charge and energy of one uninterrupted GNSS state.
public struct PowerSegment: Hashable, Sendable {
  public enum Basis: String, StoredWord {
    /// Integrated from a monitor's readings.
    case measured
    /// Computed from the board file's currents: there is no monitor, or it did not respond.
    case modelled
    /// From the virtual board: no receiver consumed it.
    case simulated

    public var meaning: String {
      switch self {
      case .measured: "Integrated from a power monitor's readings."
      case .modelled: "Computed from the currents of the settings."
      case .simulated: "Simulated: of the virtual board, not of a receiver."
      }
    }
  }

  public var state: GnssState
  public var start: UTCInstant
  public var duration: Seconds
  public var charge: Coulombs
  public var energy: Joules
  /// Standard uncertainty of `energy`; nil if it is modelled from figures without uncertainty.
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
      .word("state", "State of the receiver.") { $0.state },
      .time("start", "Start of the segment.") { $0.start },
      .quantity("duration_s", "Duration of the segment.") { $0.duration },
      .charge("charge_mAh", "Charge that the receiver drew.") { $0.charge },
      .quantity("energy_J", "Energy of that charge.") { $0.energy },
      .optionalQuantity(
        "energy_uncertainty_J", "Standard uncertainty of the energy; empty if unknown."
      ) { $0.energyUncertainty },
      .word("basis", "Basis of charge and energy.") { $0.basis },
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(
      state: try row.word("state"), start: try row.time("start"),
      duration: try row.quantity("duration_s"),
      charge: try row.charge("charge_mAh"), energy: try row.quantity("energy_J"),
      energyUncertainty: try row.optionalQuantity("energy_uncertainty_J"),
      basis: try row.word("basis"))
  }

  public var record: Record { .powerSegment(self) }
  public var lastChange: UTCInstant? { start + duration }
}

/// The state of the receiver, as far as its supply current is concerned.
public enum GnssState: String, StoredWord {
  case off
  /// Off, while a coarse source is queried. The receiver draws the same current as while off; the
  /// rest of the board is not included.
  case coarse
  /// Asleep by command, with its supply on.
  case sleeping
  /// Powered and searching.
  case acquiring
  /// Powered and delivering fixes.
  case tracking

  public var meaning: String {
    switch self {
    case .off: "Its supply is cut, or it is switched off."
    case .coarse: "Off, while coarse sources are queried for the position."
    case .sleeping: "Asleep by command, with its supply on."
    case .acquiring: "On, and searching for its first fix."
    case .tracking: "On, with a fix."
    }
  }
}
