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
      ("arrival_error_median_s", .rounded(figures.arrival.median?.value, digits: 1)),
      ("arrival_error_p90_s", .rounded(figures.arrival.p90?.value, digits: 1)),
      ("departure_error_median_s", .rounded(figures.departure.median?.value, digits: 1)),
      ("departure_error_p90_s", .rounded(figures.departure.p90?.value, digits: 1)),
      ("position_error_median_m", .rounded(figures.position.median?.value, digits: 1)),
      ("position_error_p90_m", .rounded(figures.position.p90?.value, digits: 1)),
      ("route_error_mean_m", .rounded(figures.routeMean?.value, digits: 1)),
      ("route_error_median_m", .rounded(figures.routeMedian?.value, digits: 1)),
      ("route_error_p95_m", .rounded(figures.routeP95?.value, digits: 1)),
      ("route_error_under_sky_p95_m", .rounded(figures.routeWithReceptionP95?.value, digits: 1)),
    ] + (hasSamples ? [(ScoreSamples.key, ScoreSamples.json(score))] : [])
  }

  var text: String {
    let figures = score.figures
    var lines: [String] = []
    if let visits = figures.visits {
      lines.append(
        "visits: \(visits.found) of \(Counted.text(visits.stays, "stay")) found, "
          + "\(visits.invented) false ones: precision \(two(visits.precision)), "
          + "recall \(two(visits.recall)), F1 \(two(visits.f1))")
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

  private func two(_ share: Double) -> String { FixedDecimal.text(share, digits: 2) }

  private func pair<Value: Quantity>(
    _ spread: ScoreFigures.Spread<Value>, _ unit: String
  ) -> String? {
    guard let median = spread.median, let p90 = spread.p90 else { return nil }
    return "\(FixedDecimal.text(median.value, digits: 0)) \(unit), "
      + "\(FixedDecimal.text(p90.value, digits: 0)) \(unit)"
  }
}

/// All values behind a score, passed from one run to its comparison.
enum ScoreSamples {
  static let key = "score_samples"

  static func json(_ score: RunScore) -> JSONValue {
    func times(_ times: [Seconds]) -> JSONValue {
      .array(times.map { .rounded($0.value, digits: 3) })
    }
    func route(_ errors: RouteErrors) -> JSONValue {
      .object([
        ("sum_m", .number(errors.sum.value)), ("unlocated", .count(errors.unlocated)),
        (
          "decimetres",
          .array(
            errors.counts.sorted { $0.key < $1.key }.flatMap { [.count($0.key), .count($0.value)] })
        ),
      ])
    }
    return .object([
      (
        "visits",
        score.visits.map {
          .array([.count($0.found), .count($0.missed), .count($0.invented)])
        } ?? .null
      ),
      ("arrival_errors_s", times(score.arrivalErrors)),
      ("departure_errors_s", times(score.departureErrors)),
      (
        "position_errors_m",
        .array(score.positionErrors.map { .rounded($0.value, digits: 1) })
      ),
      ("route", route(score.route)), ("route_under_sky", route(score.routeWithReception)),
      ("search_times_s", times(score.searchTimes)),
    ])
  }

  /// Nil: it is no output of `json`.
  static func score(_ json: JSONValue) -> RunScore? {
    func times(_ name: String) -> [Seconds]? {
      json[name]?.array.map { $0.compactMap { $0.number.map(Seconds.init) } }
    }
    func route(_ name: String) -> RouteErrors? {
      guard let errors = json[name], let sum = errors["sum_m"]?.number,
        let unlocated = errors["unlocated"]?.integer,
        let pairs = errors["decimetres"]?.array?.map({ $0.integer ?? 0 })
      else { return nil }
      var counts: [Int: Int] = [:]
      for index in stride(from: 0, to: pairs.count - 1, by: 2) {
        counts[pairs[index]] = pairs[index + 1]
      }
      return RouteErrors(counts: counts, sum: Metres(sum), unlocated: unlocated)
    }
    guard let arrivals = times("arrival_errors_s"), let departures = times("departure_errors_s"),
      let positions = json["position_errors_m"]?.array?.compactMap(\.number),
      let searches = times("search_times_s"), let way = route("route"),
      let signal = route("route_under_sky")
    else { return nil }
    let counts = json["visits"]?.array?.compactMap(\.integer)
    return RunScore(
      visits: counts.flatMap {
        $0.count == 3 ? VisitCounts(found: $0[0], missed: $0[1], invented: $0[2]) : nil
      },
      arrivalErrors: arrivals, departureErrors: departures,
      positionErrors: positions.map { Metres($0) }, route: way, routeUnderSky: signal,
      searchTimes: searches)
  }
}
