import Core
import Analysis

/// A run's score in its summary.
struct ScoreReport {
  let score: RunScore
  /// The energy of the run: receiver and sources.
  let energy: Joules
  /// Whether to include all values, for combining several runs.
  var hasSamples = false

  var members: [(String, JSONValue)] {
    let figures = score.figures
    return [
      ("energy_J", .rounded(energy.value, digits: 3)),
      ("ttff_median_s", .rounded(figures.searchTime.median?.value, digits: 3)),
      ("ttff_p90_s", .rounded(figures.searchTime.p90?.value, digits: 3)),
      ("stays", .count(figures.visits?.stays)),
      ("stays_found", .count(figures.visits?.found)),
      ("visits_extra", .count(figures.visits?.invented)),
      ("visit_precision", .rounded(figures.visits?.precision, digits: 4)),
      ("visit_recall", .rounded(figures.visits?.recall, digits: 4)),
      ("visit_f1", .rounded(figures.visits?.f1, digits: 4)),
      ("visit_f1_within_100m", .rounded(figures.visitsFar?.f1, digits: 4)),
      ("visit_f1_within_50m", .rounded(figures.visitsNear?.f1, digits: 4)),
      ("true_places", .count(figures.places)),
      ("visited_destinations", .count(figures.destinations)),
      ("arrival_error_median_s", .rounded(figures.arrival.median?.value, digits: 1)),
      ("arrival_error_p90_s", .rounded(figures.arrival.p90?.value, digits: 1)),
      ("departure_error_median_s", .rounded(figures.departure.median?.value, digits: 1)),
      ("departure_error_p90_s", .rounded(figures.departure.p90?.value, digits: 1)),
      ("position_error_median_m", .rounded(figures.position.median?.value, digits: 1)),
      ("position_error_p90_m", .rounded(figures.position.p90?.value, digits: 1)),
      ("within_accuracy", .rounded(figures.withinAccuracy, digits: 4)),
      ("within_twice_accuracy", .rounded(figures.withinTwiceAccuracy, digits: 4)),
      ("arrival_within_bounds", .rounded(figures.arrivalBounds.share, digits: 4)),
      ("arrival_bounds_median_s", .rounded(figures.arrivalBounds.width?.value, digits: 1)),
      ("departure_within_bounds", .rounded(figures.departureBounds.share, digits: 4)),
      ("departure_bounds_median_s", .rounded(figures.departureBounds.width?.value, digits: 1)),
      ("confidence_classes", .array(figures.confidence.map(Self.json))),
      ("route_error_mean_m", .rounded(figures.routeMean?.value, digits: 1)),
      ("route_error_median_m", .rounded(figures.routeMedian?.value, digits: 1)),
      ("route_error_p95_m", .rounded(figures.routeP95?.value, digits: 1)),
      ("route_error_under_sky_p95_m", .rounded(figures.routeWithReceptionP95?.value, digits: 1)),
    ] + (hasSamples ? [(ScoreSamples.key, ScoreSamples.json(score))] : [])
  }

  private static func json(_ confidence: ScoreFigures.ConfidenceClass) -> JSONValue {
    .object([
      ("visits", .count(confidence.visits)),
      ("confidence", .rounded(confidence.confidence, digits: 4)),
      ("right", .rounded(confidence.right, digits: 4)),
    ])
  }

  var text: String {
    let figures = score.figures
    var lines: [String] = []
    if let visits = figures.visits {
      lines.append(
        "visits: \(visits.found) of \(Counted.text(visits.stays, "stay")) found, "
          + "\(visits.invented) false ones: precision \(two(visits.precision)), "
          + "recall \(two(visits.recall)), F1 \(two(visits.f1))")
      lines += placeLines(figures) + boundsLines(figures)
      if let arrival = pair(figures.arrival, "s"), let departure = pair(figures.departure, "s") {
        let position = pair(figures.position, "m").map { ", positions \($0)" } ?? ""
        lines.append(
          "errors (median, p90): arrivals \(arrival), departures \(departure)" + position)
      }
    } else {
      lines.append("visits are not scored: the true stays are not known (--stays)")
    }
    if let median = figures.routeMedian {
      let p95 = figures.routeP95.map { "\(FixedDecimal.text($0.value, digits: 0)) m" } ?? "-"
      lines.append(
        "route errors under way (median, p95): \(FixedDecimal.text(median.value, digits: 0)) m, "
          + p95)
    }
    if let searches = pair(figures.searchTime, "s") {
      lines.append("time to first fix (median, p90): \(searches)")
    }
    return lines.joined(separator: "\n")
  }

  private func placeLines(_ figures: ScoreFigures) -> [String] {
    guard let far = figures.visitsFar, let near = figures.visitsNear, let places = figures.places,
      let destinations = figures.destinations
    else { return [] }
    var lines = [
      "found there as well, within \(metres(ScoreFigures.far)): F1 \(two(far.f1)); within "
        + "\(metres(ScoreFigures.near)): F1 \(two(near.f1)); "
        + "\(Counted.text(destinations, "destination")) for \(Counted.text(places, "place"))"
    ]
    if let once = figures.withinAccuracy, let twice = figures.withinTwiceAccuracy {
      lines.append(
        "true place within accuracy_m: \(percent(once)), within twice that: \(percent(twice))")
    }
    return lines
  }

  private func boundsLines(_ figures: ScoreFigures) -> [String] {
    func text(_ name: String, _ bounds: ScoreFigures.Bounds) -> String? {
      guard let share = bounds.share, let width = bounds.width else { return nil }
      let median = FixedDecimal.text(width.value, digits: 0)
      return "\(name) \(percent(share)) (median width \(median) s)"
    }
    let parts = [
      text("arrivals", figures.arrivalBounds), text("departures", figures.departureBounds),
    ].compactMap { $0 }
    return parts.isEmpty ? [] : ["true time within the bounds: " + parts.joined(separator: ", ")]
  }

  private func percent(_ share: Double) -> String {
    "\(FixedDecimal.text(share * 100, digits: 0)) %"
  }

  private func metres(_ length: Metres) -> String {
    "\(FixedDecimal.text(length.value, digits: 0)) m"
  }

  private func two(_ share: Double) -> String { FixedDecimal.text(share, digits: 2) }

  private func pair<Value: Quantity>(
    _ spread: ScoreFigures.Spread<Value>, _ unit: String
  ) -> String? {
    guard let median = spread.median, let p90 = spread.p90 else { return nil }
    return "\(FixedDecimal.text(median.value, digits: 0)) \(unit), "
      + "\(FixedDecimal.text(p90.value, digits: 0)) \(unit)"
  }
}
