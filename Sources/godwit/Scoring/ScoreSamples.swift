import Core
import Analysis

/// All values behind a score, passed from one run to its comparison.
enum ScoreSamples {
  static let key = "score_samples"

  // MARK: To JSON

  static func json(_ score: RunScore) -> JSONValue {
    .object([
      (
        "visits",
        score.visits.map {
          .array([.count($0.found), .count($0.missed), .count($0.invented)])
        } ?? .null
      ),
      ("matches", .array(score.matches.map(json))),
      ("invented_confidences", numbers(score.inventedConfidences, digits: 4)),
      ("places", .count(score.places)), ("destinations", .count(score.destinations)),
      ("route", json(score.route)), ("route_under_sky", json(score.routeWithReception)),
      ("search_times_s", numbers(score.searchTimes.map(\.value), digits: 3)),
    ])
  }

  private static func numbers(_ values: [Double], digits: Int) -> JSONValue {
    .array(values.map { .rounded($0, digits: digits) })
  }

  /// An array instead of named fields: a comparison has thousands of them.
  private static func json(_ visit: MatchedVisit) -> JSONValue {
    .array([
      .rounded(visit.arrivalError.value, digits: 3),
      .rounded(visit.departureError.value, digits: 3),
      .rounded(visit.positionError?.value, digits: 1),
      .rounded(visit.accuracy?.value, digits: 1), .rounded(visit.confidence, digits: 4),
      .rounded(visit.arrival?.width.value, digits: 3),
      .rounded(visit.arrival?.excess.value, digits: 3),
      .rounded(visit.departure?.width.value, digits: 3),
      .rounded(visit.departure?.excess.value, digits: 3),
    ])
  }

  private static func json(_ errors: RouteErrors) -> JSONValue {
    .object([
      ("sum_m", .number(errors.sum.value)), ("unlocated", .count(errors.unlocated)),
      (
        "decimetres",
        .array(
          errors.counts.sorted { $0.key < $1.key }.flatMap { [.count($0.key), .count($0.value)] })
      ),
    ])
  }

  // MARK: From JSON

  /// Nil: it is no output of `json`.
  static func score(_ json: JSONValue) -> RunScore? {
    guard let matches = json["matches"]?.array?.compactMap(visit),
      let confidences = json["invented_confidences"]?.array?.compactMap(\.number),
      let searches = json["search_times_s"]?.array?.compactMap(\.number),
      let destinations = json["destinations"]?.integer, let way = route(json["route"]),
      let signal = route(json["route_under_sky"])
    else { return nil }
    let counts = json["visits"]?.array?.compactMap(\.integer)
    return RunScore(
      visits: counts.flatMap {
        $0.count == 3 ? VisitCounts(found: $0[0], missed: $0[1], invented: $0[2]) : nil
      },
      matches: matches, inventedConfidences: confidences, places: json["places"]?.integer,
      destinations: destinations, route: way, routeUnderSky: signal,
      searchTimes: searches.map { Seconds($0) })
  }

  private static func visit(_ json: JSONValue) -> MatchedVisit? {
    guard let values = json.array?.map(\.number), values.count == 9, let arrival = values[0],
      let departure = values[1]
    else { return nil }
    func bounds(_ width: Double?, _ excess: Double?) -> BoundsCheck? {
      guard let width, let excess else { return nil }
      return BoundsCheck(width: Seconds(width), excess: Seconds(excess))
    }
    return MatchedVisit(
      arrivalError: Seconds(arrival), departureError: Seconds(departure),
      positionError: values[2].map { Metres($0) }, accuracy: values[3].map { Metres($0) },
      confidence: values[4], arrival: bounds(values[5], values[6]),
      departure: bounds(values[7], values[8]))
  }

  private static func route(_ json: JSONValue?) -> RouteErrors? {
    guard let json, let sum = json["sum_m"]?.number, let unlocated = json["unlocated"]?.integer,
      let pairs = json["decimetres"]?.array?.map({ $0.integer ?? 0 })
    else { return nil }
    var counts: [Int: Int] = [:]
    for index in stride(from: 0, to: pairs.count - 1, by: 2) {
      counts[pairs[index]] = pairs[index + 1]
    }
    return RouteErrors(counts: counts, sum: Metres(sum), unlocated: unlocated)
  }
}
