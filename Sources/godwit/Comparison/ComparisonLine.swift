import Formats
import Core
import Analysis

/// A line of a comparison: a policy over all its runs, or a single run.
struct ComparisonLine {
  enum Kind: String { case pooled, run }

  /// A value, and half the width of its 95 % interval, if there are enough runs.
  struct Estimate {
    var value: Double?
    var margin: Double?

    /// - Parameter digits: the number of decimals.
    func text(digits: Int) -> String {
      guard let value else { return "" }
      let text = FixedDecimal.text(value, digits: digits)
      return margin.map { "\(text)±\(FixedDecimal.text($0, digits: digits))" } ?? text
    }
  }

  let kind: Kind
  let policy: String
  /// The varied settings as `name=value`, without their sections.
  let settings: [String]
  var truth: ComparisonPlan.Truth?
  var seed: UInt64?
  var runs = 0
  var failed = 0
  /// Why the run failed.
  var error: String?
  var warning: String?
  var figures: RunTotals?
  var score: ScoreFigures?
  /// J per day.
  var energy = Estimate()
  /// The share of the energy of continuous tracking.
  var share = Estimate()
  var f1 = Estimate()
  /// Of the visits within 100 m of their true place.
  var f1WithinFar = Estimate()
  /// How long the battery would last; nil without one.
  var batteryLife: Seconds?
  var store: String?
  var command: [String] = []
  /// For a single run; see `RunResult`.
  var curve: [(x: Double, y: Double)] = []

  var commandText: String {
    ShellWords.line(["godwit"] + command.map(Provenance.withoutSecret))
  }

  var name: String { ([policy] + settings).joined(separator: " ") }
}

extension ComparisonLine {
  // The keys of JSON are a stable machine interface, see `Columns`.

  private static let chosen: [Column<ComparisonLine>] = [
    .text("kind", csv: "kind") { $0.kind.rawValue },
    .text("policy", csv: "policy") { $0.policy },
    .table(.made("POLICY", 0) { line, _ in line.name }),
    .text("settings", csv: "settings") { $0.settings.joined(separator: " ") },
    .text("trace", csv: "trace") {
      if case .trace(let path)? = $0.truth { path } else { nil }
    },
    .text("life", csv: "life") {
      if case .life(let name)? = $0.truth { name } else { nil }
    },
    .table(
      .made("OF", 0) { line, _ in
        line.kind == .pooled ? "" : line.truth.map { "\($0.shortName), \(line.seed ?? 1)" } ?? ""
      }),
    // A seed too large for an integer is only in the command.
    .count("seed", csv: "seed") { $0.seed.flatMap { Int(exactly: $0) } },
    .count("runs", csv: "runs") { $0.runs },
    .count("runs_failed", csv: "runs_failed") { $0.failed },
    .text("error", csv: "error") { $0.error },
    .text("warning", csv: "warning") { $0.warning },
    .number("days", digits: 4, csv: "days") { $0.figures?.days },
  ]

  private static let energies: [Column<ComparisonLine>] = [
    .number("energy_J", digits: 3, csv: "energy_J") { $0.figures?.energy.value },
    .number("energy_per_day_J", digits: 3, csv: "energy_per_day_J") { $0.energy.value },
    .number("energy_per_day_margin95_J", digits: 3, csv: "energy_per_day_margin95_J") {
      $0.energy.margin
    },
    .table(.made("J/day", 0, .right) { line, _ in line.energy.text(digits: 0) }),
    .number("gnss_charge_mAh", digits: 4, csv: "gnss_charge_mAh") {
      $0.figures?.charge.milliampereHours
    },
    .number(
      "gnss_charge_per_day_mAh", digits: 4, cell: .figure("mAh/day", digits: 1),
      csv: "gnss_charge_per_day_mAh"
    ) { line in line.figures.flatMap { $0.perDay($0.charge.milliampereHours) } },
    .number("energy_per_continuous", digits: 5, csv: "energy_per_continuous") { $0.share.value },
    .number("energy_per_continuous_margin95", digits: 5, csv: "energy_per_continuous_margin95") {
      $0.share.margin
    },
    .table(
      .made("% CONT.", 0, .right) { line, _ in
        line.share.value.map { FixedDecimal.text($0 * 100, digits: 1) } ?? ""
      }),
    .number("energy_per_bound_clairvoyant", digits: 4, csv: "energy_per_bound_clairvoyant") {
      line in line.figures?.multiple(of: line.figures?.clairvoyant)
    },
    .number("energy_per_bound_perfect_motion", digits: 4, csv: "energy_per_bound_perfect_motion") {
      line in line.figures?.multiple(of: line.figures?.perfectMotion)
    },
    .table(
      .made("× BOUNDS", 0, .right) { line, _ in
        pair(
          line.figures?.multiple(of: line.figures?.clairvoyant),
          line.figures?.multiple(of: line.figures?.perfectMotion), digits: 1)
      }),
  ]

  private static let efforts: [Column<ComparisonLine>] = [
    .count("fixes_accepted", csv: "fixes_accepted") { $0.figures?.fixes },
    .table(
      .made("FIX/day", 0, .right) { line, _ in
        line.figures.flatMap { $0.perDay(Double($0.fixes)) }.map {
          FixedDecimal.text($0, digits: 0)
        } ?? ""
      }),
    .number(
      "gnss_on_share", digits: 6, cell: .figure("ON %", digits: 2, scale: 100),
      csv: "gnss_on_share"
    ) { line in line.figures.flatMap { $0.duration > 0 ? $0.onTime / $0.duration : nil } },
    .count("sessions", csv: "sessions") { $0.figures?.sessions },
    .count("searches_failed", csv: "searches_failed") { $0.figures?.searchesFailed },
    .number(
      "ttff_median_s", digits: 3, cell: .figure("TTFF s", digits: 1), csv: "ttff_median_s"
    ) { $0.score?.searchTime.median?.value },
    .number("ttff_p90_s", digits: 3, csv: "ttff_p90_s") { $0.score?.searchTime.p90?.value },
  ]

  private static let visits: [Column<ComparisonLine>] = [
    .count("stays", csv: "stays") { $0.score?.visits?.stays },
    .count("stays_found", csv: "stays_found") { $0.score?.visits?.found },
    .count("visits_extra", csv: "visits_extra") { $0.score?.visits?.invented },
    .number(
      "visit_precision", digits: 4, cell: .figure("P", digits: 2), csv: "visit_precision"
    ) { $0.score?.visits?.precision },
    .number("visit_recall", digits: 4, cell: .figure("R", digits: 2), csv: "visit_recall") {
      $0.score?.visits?.recall
    },
    .number("visit_f1", digits: 4, csv: "visit_f1") { $0.f1.value },
    .number("visit_f1_margin95", digits: 4, csv: "visit_f1_margin95") { $0.f1.margin },
    .table(.made("F1", 0, .right) { line, _ in line.f1.text(digits: 2) }),
    .number("visit_f1_within_100m", digits: 4, csv: "visit_f1_within_100m") {
      $0.f1WithinFar.value
    },
    .number(
      "visit_f1_within_100m_margin95", digits: 4, csv: "visit_f1_within_100m_margin95"
    ) { $0.f1WithinFar.margin },
    .table(.made("F1 <100 m", 0, .right) { line, _ in line.f1WithinFar.text(digits: 2) }),
    .number("visit_f1_within_50m", digits: 4, csv: "visit_f1_within_50m") {
      $0.score?.visitsNear?.f1
    },
    .number("arrival_error_median_s", digits: 1, csv: "arrival_error_median_s") {
      $0.score?.arrival.median?.value
    },
    .number("arrival_error_p90_s", digits: 1, csv: "arrival_error_p90_s") {
      $0.score?.arrival.p90?.value
    },
    .table(
      .made("ARRIVAL s", 0, .right) { line, _ in
        pair(line.score?.arrival.median?.value, line.score?.arrival.p90?.value)
      }),
    .number("departure_error_median_s", digits: 1, csv: "departure_error_median_s") {
      $0.score?.departure.median?.value
    },
    .number("departure_error_p90_s", digits: 1, csv: "departure_error_p90_s") {
      $0.score?.departure.p90?.value
    },
    .table(
      .made("DEPART. s", 0, .right) { line, _ in
        pair(line.score?.departure.median?.value, line.score?.departure.p90?.value)
      }),
    .number("position_error_median_m", digits: 1, csv: "position_error_median_m") {
      $0.score?.position.median?.value
    },
    .number("position_error_p90_m", digits: 1, csv: "position_error_p90_m") {
      $0.score?.position.p90?.value
    },
  ]

  private static let claims: [Column<ComparisonLine>] = [
    .count("true_places", csv: "true_places") { $0.score?.places },
    .count("visited_destinations", csv: "visited_destinations") { $0.score?.destinations },
    .number("within_accuracy", digits: 4, csv: "within_accuracy") { $0.score?.withinAccuracy },
    .number("within_twice_accuracy", digits: 4, csv: "within_twice_accuracy") {
      $0.score?.withinTwiceAccuracy
    },
    .number("arrival_within_bounds", digits: 4, csv: "arrival_within_bounds") {
      $0.score?.arrivalBounds.share
    },
    .number("arrival_bounds_median_s", digits: 1, csv: "arrival_bounds_median_s") {
      $0.score?.arrivalBounds.width?.value
    },
    .number("departure_within_bounds", digits: 4, csv: "departure_within_bounds") {
      $0.score?.departureBounds.share
    },
    .number("departure_bounds_median_s", digits: 1, csv: "departure_bounds_median_s") {
      $0.score?.departureBounds.width?.value
    },
  ]

  private static let routes: [Column<ComparisonLine>] = [
    .number("route_error_mean_m", digits: 1, csv: "route_error_mean_m") {
      $0.score?.routeMean?.value
    },
    .number("route_error_median_m", digits: 1, csv: "route_error_median_m") {
      $0.score?.routeMedian?.value
    },
    .number("route_error_p95_m", digits: 1, csv: "route_error_p95_m") {
      $0.score?.routeP95?.value
    },
    .table(
      .made("ROUTE m", 0, .right) { line, _ in
        pair(line.score?.routeMedian?.value, line.score?.routeP95?.value)
      }),
    .number("route_error_under_sky_p95_m", digits: 1, csv: "route_error_under_sky_p95_m") {
      $0.score?.routeWithReceptionP95?.value
    },
    .number(
      "battery_days", digits: 2, cell: .figure("DAYS", digits: 0), csv: "battery_days"
    ) { line in line.batteryLife.map { $0 / .days(1) } },
    .text("store", csv: "store") { $0.store },
    .text("command", csv: "command") { $0.commandText },
  ]

  static let columns = Columns<ComparisonLine>(
    chosen + energies + efforts + visits + claims + routes)

  /// "12/310"; an unknown part is a hyphen.
  private static func pair(_ first: Double?, _ second: Double?, digits: Int = 0) -> String {
    guard first != nil || second != nil else { return "" }
    func text(_ value: Double?) -> String {
      value.map { FixedDecimal.text($0, digits: digits) } ?? "-"
    }
    return "\(text(first))/\(text(second))"
  }
}
