import Core

/// One period in which the receiver was powered: from switch-on to switch-off.
public struct GnssSession: Hashable, Sendable {
  public enum Outcome: String, StoredWord {
    /// Still running.
    case open
    /// It fulfilled its purpose.
    case fixObtained = "fix obtained"
    /// The acquisition time limit passed without an accepted fix.
    case noFix = "no fix"
    /// Ended by the user (off, or restarted), a new setting or the end of the daemon.
    case stopped
    /// The daemon died during the session; it was closed at the next start from the stored data.
    case interrupted
    /// The receiver or its switch failed.
    case failed

    public var meaning: String {
      switch self {
      case .open: "Still open; or the power was cut during it, and the daemon has not run since."
      case .fixObtained: "It delivered the requested fix."
      case .noFix: "The time limit of the search passed without an accepted fix."
      case .stopped: "Ended by the user, a new setting or the end of the daemon."
      case .interrupted: "The daemon ended abnormally during it; it was closed at the next start."
      case .failed: "The receiver or its switch failed."
      }
    }
  }

  /// The restart command with which the session began: which data the receiver had to erase.
  /// Without one, the start depends on the previous state.
  public enum Restart: String, StoredWord {
    case cold, warm, hot

    public var meaning: String {
      switch self {
      case .cold: "Everything: time, position, almanac and ephemeris."
      case .warm: "The ephemeris."
      case .hot: "Nothing."
      }
    }
  }

  public var id: Int64
  /// Nil while the date is unknown: a session without reception.
  public var on: UTCInstant?
  /// From switch-on to the first accepted fix (TTFF).
  public var timeToFirstFix: Seconds?
  public var off: UTCInstant?
  /// By the boot clock, so that it is known without a date; nil while open or interrupted.
  public var duration: Seconds?
  public var fixesAccepted: Int
  public var fixesRejected: Int
  public var outcome: Outcome
  /// From switch-on to switch-off only; power segments also cover the other states.
  public var charge: Coulombs?
  public var energy: Joules?
  /// Standard uncertainty of `energy`; nil if it is modelled from figures without uncertainty.
  public var energyUncertainty: Joules?
  /// Nil in unmeasured records of older versions, and in an interrupted session.
  public var basis: PowerSegment.Basis?
  /// Nil without a restart command, or if the receiver did not accept it.
  public var restart: Restart?

  public init(id: Int64, on: UTCInstant?) {
    self.id = id
    self.on = on
    fixesAccepted = 0
    fixesRejected = 0
    outcome = .open
  }
}

extension GnssSession: StoredRecord {
  public static let table = RecordTable<Self>(
    "gnss_sessions", "Times of GNSS power", key: .given { $0.id }, time: "power_on",
    newest: "coalesce(power_off, power_on)", expiry: "outcome <> 'open'",
    columns: [
      .optionalTime(
        "power_on", "Time at which GNSS was switched on; empty while the date is unknown."
      ) {
        $0.on
      },
      .optionalTime("first_fix", "Time of the first accepted fix.") { $0.firstFix },
      .optionalTime("power_off", "Time at which GNSS was switched off.") { $0.off },
      .optionalQuantity(
        "duration_s", "Duration, by the board's own clock; empty while it is open."
      ) { $0.duration },
      .optionalQuantity(
        "ttff_s", "Time from switch-on, or the restart command, to the first accepted fix."
      ) {
        $0.timeToFirstFix
      },
      .count("fixes_accepted", "Number of accepted fixes.") { $0.fixesAccepted },
      .count("fixes_rejected", "Number of rejected fixes.") { $0.fixesRejected },
      .word("outcome", "Outcome of the session.") { $0.outcome },
      .optionalCharge("charge_mAh", "Charge that the receiver drew during it.") { $0.charge },
      .optionalQuantity("energy_J", "Energy of that charge.") { $0.energy },
      .flag("energy_is_measured", "1 where a power monitor measured it, otherwise 0.") {
        $0.basis == .measured
      },
      .optionalQuantity(
        "energy_uncertainty_J", "Standard uncertainty of the energy; empty if unknown."
      ) { $0.energyUncertainty }.added(in: Record.gaps),
      .optionalWord("basis", "Basis of charge and energy.") { $0.basis }
        .added(in: Record.gaps),
      .optionalWord(
        "restart",
        "Data that the receiver cleared on command at the start; empty: none, or a failed command."
      ) { $0.restart }.added(in: Record.restarts),
    ])

  private var firstFix: UTCInstant? {
    guard let on, let timeToFirstFix else { return nil }
    return on + timeToFirstFix
  }

  public init(row: RowReader) throws(DamagedColumn) {
    self.init(id: try row.identifier(), on: try row.optionalTime("power_on"))
    duration = try row.optionalQuantity("duration_s")
    off = try row.optionalTime("power_off")
    timeToFirstFix = try row.optionalQuantity("ttff_s")
    fixesAccepted = try row.count("fixes_accepted")
    fixesRejected = try row.count("fixes_rejected")
    outcome = try row.word("outcome")
    charge = try row.optionalCharge("charge_mAh")
    energy = try row.optionalQuantity("energy_J")
    energyUncertainty = try row.optionalQuantity("energy_uncertainty_J")
    basis = try row.optionalWord("basis")
    restart = try row.optionalWord("restart")
    if try row.flag("energy_is_measured"), basis == nil { basis = .measured }
    // Follows from the switch-on; it stands in the file for other programs.
    _ = try row.optionalTime("first_fix")
  }

  public var record: Record { .session(self) }
  public var lastChange: UTCInstant? { off ?? on }
  public var needsDate: Bool { true }

  public func dated(
    at moment: BootInstant, by date: (BootInstant) -> UTCInstant?
  ) -> GnssSession {
    var session = self
    session.on = on ?? date(moment - (duration ?? 0))
    if duration != nil { session.off = off ?? date(moment) }
    return session
  }

  public func renumbered(by shift: Renumbering) -> GnssSession {
    var session = self
    session.id += shift.sessions
    return session
  }
}
