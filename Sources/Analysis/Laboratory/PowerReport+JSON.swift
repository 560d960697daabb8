import Core

extension PowerReport {
  /// For programs. Keys are stable; units are in their names.
  /// - Parameters:
  ///   - program: the program with its version: "godwit 1.0".
  ///   - details: the subject of the report.
  public func json(program: String, details: [(String, JSONValue)] = []) -> JSONValue {
    let head: [(String, JSONValue)] = [("program", .string(program))] + details
    return .object(
      head + [
        ("trusted", .bool(doubts.isEmpty)),
        ("doubts", .array(doubts.map { .string($0) })),
        ("wanted_half_width_percent", .rounded(100 * options.wantedHalfWidth, digits: 3)),
        ("provenances", .array(provenances)),
        ("baselines", .array(test?.baselines.map(\.json) ?? [])),
        ("conditions", .array(lines.map(Self.json))),
        ("differences", .array(differences.map(Self.json))),
      ])
  }

  /// All different provenances: of every monitor, and of every change of the settings.
  private var provenances: [JSONValue] {
    var found: [JSONValue] = []
    for run in lines.flatMap(\.condition.runs)
    where run.details.provenance != .null && !found.contains(run.details.provenance) {
      found.append(run.details.provenance)
    }
    return found
  }

  private static func json(_ line: Line) -> JSONValue {
    let condition = line.condition
    let currents = condition.currents
    return .object([
      ("name", .string(condition.name)), ("channel", .text(condition.channel)),
      ("runs", .count(condition.runs.count)),
      ("measured_duration_s", .rounded(condition.measured.value, digits: 6)),
      ("below_floor", .bool(condition.isBelowFloor)),
      ("current_mean_mA", milliamperes(currents.mean)),
      ("current_sd_mA", milliamperes(currents.standardDeviation)),
      ("current_interval_mA", json(line.interval)),
      ("current_systematic_uncertainty_mA", milliamperes(condition.systematicCurrent?.value)),
      ("current_expanded_uncertainty_mA", milliamperes(line.expanded)),
      ("current_peak_mA", milliamperes(condition.peakCurrent?.value)),
      ("power_mean_mW", .rounded(condition.powers.mean.map { $0 * 1000 }, digits: 6)),
      ("charge_mAh", .rounded(condition.charge.milliampereHours, digits: 9)),
      ("energy_J", .rounded(condition.energy.value, digits: 9)),
      ("runs_needed", .count(line.runsNeeded)),
      ("states", .array(line.states.map { json($0.figures, $0.interval) })),
      ("changes_charge_mAh", milliampereHours(condition.rest?.charge)),
      ("searches_without_fix", .count(condition.searchesGivenUp)),
      ("ttff_s", .array(condition.timesToFirstFix.map { .rounded($0.value, digits: 3) })),
      ("fixes", .count(condition.fixes)),
      ("energy_per_fix_J", .rounded(condition.energyPerFix.value, digits: 9)),
      ("energy_per_fix_margin95_J", .rounded(condition.energyPerFix.margin95, digits: 9)),
      ("visits", .count(condition.visits)),
      ("energy_per_visit_J", .rounded(condition.energyPerVisit.value, digits: 9)),
      ("energy_per_visit_margin95_J", .rounded(condition.energyPerVisit.margin95, digits: 9)),
      ("recordings", .array(condition.runs.map(json))),
    ])
  }

  private static func json(
    _ figures: StateFigures, _ interval: ConfidenceInterval?
  ) -> JSONValue {
    let charge = figures.charge
    return .object([
      ("state", .string(figures.state)), ("periods", .count(charge.periods)),
      ("measured_duration_s", .rounded(charge.measured.value, digits: 6)),
      ("missing_duration_s", .rounded(charge.missing.value, digits: 6)),
      ("unresolved_duration_s", .rounded(charge.unresolved.value, digits: 6)),
      ("below_floor", .bool(charge.isBelowFloor)),
      ("current_mean_mA", milliamperes(charge.meanCurrent?.value)),
      ("current_sd_mA", milliamperes(figures.currents.standardDeviation)),
      ("current_interval_mA", json(interval)),
      (
        "current_systematic_uncertainty_mA",
        milliamperes(charge.systematicCurrent?.value)
      ),
      ("current_peak_mA", milliamperes(charge.peak?.value)),
      ("charge_mAh", milliampereHours(charge.charge)),
      ("energy_J", .rounded(charge.energy.value, digits: 9)),
    ])
  }

  private static func milliampereHours(_ charge: Coulombs?) -> JSONValue {
    .rounded(charge?.milliampereHours, digits: 9)
  }

  private static func json(_ difference: Difference) -> JSONValue {
    .object([
      ("name", .string(difference.name)), ("baseline", .string(difference.baseline)),
      ("paired", .bool(difference.isPaired)),
      ("current_difference_mA", milliamperes(difference.mean)),
      ("current_difference_interval_mA", json(difference.interval)),
      ("difference_percent", .rounded(difference.share.map { $0 * 100 }, digits: 4)),
      ("effect_size", .rounded(difference.effectSize, digits: 4)),
    ])
  }

  private static func json(_ run: RecordedRun) -> JSONValue {
    let statistics = run.statistics
    func jitter(_ share: Double) -> JSONValue {
      .rounded(statistics.jitter.quantile(share)?.value, digits: 6)
    }
    return .object([
      ("file", .string(run.file)), ("start_utc", .text(run.details.start)),
      ("host", .text(run.details.host)), ("monitor", .text(run.details.monitor)),
      ("kernel", .text(run.details.kernel)), ("program", .text(run.details.program)),
      ("readings", .count(statistics.readings)), ("duplicates", .count(statistics.duplicates)),
      ("failed_readings", .count(statistics.failures)), ("saturated", .count(run.saturated)),
      ("measured_duration_s", .rounded(statistics.measured.value, digits: 6)),
      ("missing_duration_s", .rounded(statistics.missing.value, digits: 6)),
      ("current_mean_mA", milliamperes(run.meanCurrent?.value)),
      ("counted_by_chip", .bool(run.isCounted)),
      ("charge_mAh", .rounded(run.drawn.charge.milliampereHours, digits: 9)),
      ("energy_J", .rounded(run.drawn.energy.value, digits: 9)),
      (
        "jitter_s", .object([("p50", jitter(0.5)), ("p95", jitter(0.95)), ("max", jitter(1))])
      ),
      ("doubts", .array(run.doubts.map { .string($0) })),
    ])
  }

  private static func json(_ interval: ConfidenceInterval?) -> JSONValue {
    guard let interval else { return .null }
    return .object([
      ("low", milliamperes(interval.low)), ("high", milliamperes(interval.high)),
      ("confidence_percent", .number(95)), ("method", .string(interval.method.rawValue)),
    ])
  }

  private static func milliamperes(_ amperes: Double?) -> JSONValue {
    .rounded(amperes.map { $0 * 1000 }, digits: 6)
  }
}
