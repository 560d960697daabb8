import Records
import Core

/// What the receiver has drawn, with its uncertainty: for `status` and the end of a simulation.
struct EnergyReport {
  private let totals: EnergyTotals
  private let isSimulated: Bool

  init(_ energy: EnergyLedger, at now: BootInstant) {
    totals = energy.totals(at: now)
    isSimulated = energy.isSimulated
  }

  var on: EnergyFigure { figure(totals.on) }
  var all: EnergyFigure { figure(totals.all) }

  private func figure(_ tally: EnergySum) -> EnergyFigure {
    EnergyFigure(tally: tally, isSimulated: isSimulated)
  }

  /// For each state that occurred.
  var states: JSONValue {
    .object(
      GnssState.allCases.filter { totals[$0].duration > 0 }.map {
        ($0.rawValue, figure(totals[$0]).json)
      })
  }

  /// For all states, including those that did not occur.
  var table: String {
    func row(_ name: String, _ figure: EnergyFigure) -> [String] {
      [name, figure.time, figure.charge, figure.energy, figure.basis]
    }
    let states: [GnssState] = [.off, .coarse, .sleeping, .acquiring, .tracking]
    let rows =
      [["GNSS state", "time", "mAh", "J", "basis"]]
      + states.map { row($0.rawValue, figure(totals[$0])) } + [row("all", all)]
    let columns: [TextTable.Column] = [
      .init(), .init(side: .right), .init(side: .right), .init(side: .right), .init(),
    ]
    let table = TextTable(columns).fitted(to: rows)
    let isUncertain = all.tally.energyUncertainty != nil
    return (rows.map { table.line($0) } + (isUncertain ? [Self.explanation] : []))
      .joined(separator: "\n")
  }

  /// Printed once, below the table.
  private static let explanation =
    "± is the standard uncertainty (k = 1) of the measurement; below floor: less than the monitor"
    + "\ncan distinguish from zero"
}

/// Charge and energy over some time, with their uncertainty.
struct EnergyFigure {
  let tally: EnergySum
  let isSimulated: Bool

  /// h:mm:ss
  var time: String { RunSummary.clock(tally.duration) }

  var charge: String {
    text(tally.charge.milliampereHours, tally.chargeUncertainty?.milliampereHours)
  }

  var energy: String { text(tally.energy.value, tally.knownUncertainty?.value) }

  /// Empty for an interval of no length.
  private func text(_ value: Double, _ uncertainty: Double?) -> String {
    tally.duration > 0 ? UncertainDecimal.text(value, uncertainty: uncertainty) : ""
  }

  /// "measured", "modelled", "simulated, below floor", "measured for 97 % of the charge".
  var basis: String {
    guard tally.duration > 0 else { return "" }
    let source = isSimulated ? PowerSegment.Basis.simulated : tally.basis
    var text = source.rawValue
    if source == .measured, tally.measuredShare < 0.995 {
      text += " for \(FixedDecimal.text(tally.measuredShare * 100, digits: 0)) % of the charge"
    }
    return tally.isBelowFloor ? text + ", below floor" : text
  }

  /// "412 J modelled", "25.3 ± 0.4 J measured".
  var phrase: String { "\(energy) J \(basis)" }

  var json: JSONValue {
    let mean = tally.duration > 0 ? (tally.charge / tally.duration).value * 1000 : 0
    return .object([
      ("duration_s", .rounded(tally.duration.value, digits: 1)),
      ("measured_duration_s", .rounded(tally.measuredDuration.value, digits: 1)),
      ("charge_mAh", .rounded(tally.charge.milliampereHours, digits: 4)),
      ("energy_J", .rounded(tally.energy.value, digits: 3)),
      ("energy_uncertainty_J", .rounded(tally.knownUncertainty?.value, digits: 3)),
      ("mean_mA", .rounded(mean, digits: 4)),
      ("basis", .string((isSimulated ? .simulated : tally.basis).rawValue)),
      ("below_floor", .bool(tally.isBelowFloor)),
    ])
  }
}
