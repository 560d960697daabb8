import Core
import Formats
import Analysis

/// The table of `--truth-table`: every true stay with the visit that agrees with it, and every
/// other visit, in order of time.
struct TruthTable {
  struct Row {
    enum Outcome: String { case found, missed, extra, unscored }

    let outcome: Outcome
    var stay: Interval?
    var visit: Interval?
    /// The errors of a found stay's visit.
    var matched: MatchedVisit?
    /// Why the stay was missed, or why the visit counts for none, as far as the records show it.
    var reason: String?

    fileprivate var start: Int64 { (stay ?? visit)?.start.nanoseconds ?? 0 }
  }

  let rows: [Row]

  /// - Parameters:
  ///   - unscored: stays that count neither as found nor as missed.
  ///   - shortest: a shorter stay or visit does not count.
  init(
    _ score: VisitScore, unscored: [Interval], records: ScoredRecords, until end: UTCInstant,
    shortest: Seconds
  ) {
    let all = records.stays(until: end)
    let reasons = Reasons(
      visits: all, withdrawn: records.withdrawn(until: end), searches: records.searches,
      matched: Set(score.matches.compactMap { $0.found.claims?.id }), shortest: shortest)
    var rows = zip(score.matches, score.matchedVisits).map {
      Row(outcome: .found, stay: $0.stay, visit: $0.found, matched: $1)
    }
    rows += score.missed.map { Row(outcome: .missed, stay: $0, reason: reasons.missed($0)) }
    rows += score.invented.map { Row(outcome: .extra, visit: $0) }
    rows += unscored.map {
      Row(
        outcome: .unscored, stay: $0,
        reason: $0.length < shortest ? reasons.tooShort : "it is marked as not scored")
    }
    let listed = Set(rows.compactMap { $0.visit?.claims?.id })
    rows += all.filter { visit in visit.claims.map { !listed.contains($0.id) } ?? false }.map {
      Row(
        outcome: .unscored, visit: $0,
        reason: $0.length < shortest ? reasons.tooShort : "it is in unscored time")
    }
    self.rows = rows.sorted { $0.start < $1.start }
  }

  var csv: [UInt8] {
    var bytes = Array(Self.columns.csvHeading.utf8)
    for row in rows { Self.columns.append(row, toCSV: &bytes) }
    return bytes
  }

  private static let columns = Columns<Row>([
    .text("outcome", csv: "outcome") { $0.outcome.rawValue },
    .time("stay_arrival", csv: "stay_arrival") { $0.stay?.start },
    .time("stay_departure", csv: "stay_departure") { $0.stay?.end },
    .number("stay_lat", digits: 7, csv: "stay_lat") { $0.stay?.position?.latitude.value },
    .number("stay_lon", digits: 7, csv: "stay_lon") { $0.stay?.position?.longitude.value },
    .count("visit_id", csv: "visit_id") { $0.visit?.claims.map { Int($0.id) } },
    .time("arrival", csv: "arrival") { $0.visit?.start },
    .time("departure", csv: "departure") { $0.visit?.end },
    .number("lat", digits: 7, csv: "lat") { $0.visit?.position?.latitude.value },
    .number("lon", digits: 7, csv: "lon") { $0.visit?.position?.longitude.value },
    .number("accuracy_m", digits: 1, csv: "accuracy_m") { $0.visit?.claims?.accuracy.value },
    .number("confidence", digits: 3, csv: "confidence") { $0.visit?.claims?.confidence },
    .count("destination_id", csv: "destination_id") {
      $0.visit?.claims?.destination.map { Int($0) }
    },
    .number("agreement", digits: 3, csv: "agreement") { row in
      row.stay.flatMap { stay in row.visit.map { $0.agreement(stay) } }
    },
    .number("arrival_error_s", digits: 1, csv: "arrival_error_s") {
      $0.matched?.arrivalError.value
    },
    .number("departure_error_s", digits: 1, csv: "departure_error_s") {
      $0.matched?.departureError.value
    },
    .number("position_error_m", digits: 1, csv: "position_error_m") {
      $0.matched?.positionError?.value
    },
    .number("arrival_beyond_bounds_s", digits: 1, csv: "arrival_beyond_bounds_s") {
      $0.matched?.arrival?.excess.value
    },
    .number("arrival_bounds_s", digits: 1, csv: "arrival_bounds_s") {
      $0.matched?.arrival?.width.value
    },
    .number("departure_beyond_bounds_s", digits: 1, csv: "departure_beyond_bounds_s") {
      $0.matched?.departure?.excess.value
    },
    .number("departure_bounds_s", digits: 1, csv: "departure_bounds_s") {
      $0.matched?.departure?.width.value
    },
    .text("reason", csv: "reason") { $0.reason },
  ])
}

/// Why a stay was missed.
private struct Reasons {
  let visits: [Interval]
  let withdrawn: [Interval]
  let searches: [ScoredRecords.Search]
  /// The ids of the visits that agree with a stay.
  let matched: Set<Int64>
  let shortest: Seconds

  var tooShort: String { "it is shorter than \(FixedDecimal.text(shortest.value, digits: 0)) s" }

  func missed(_ stay: Interval) -> String {
    if let visit = Self.best(visits, for: stay), let id = visit.claims?.id {
      if matched.contains(id) { return "visit \(id) is of another stay as well" }
      if visit.length < shortest { return "visit \(id): \(tooShort)" }
      return "visit \(id) agrees too little"
    }
    if let visit = Self.best(withdrawn, for: stay), let id = visit.claims?.id {
      return "visit \(id) was withdrawn"
    }
    let during = searches.filter { $0.time.overlap(stay) > 0 }
    if during.isEmpty { return "no visit, and the receiver was off" }
    let successful = during.count { $0.hasFix }
    return "no visit; searches with a fix: \(successful) of \(during.count)"
  }

  /// The one that shares the most time with the stay; nil: none does.
  private static func best(_ visits: [Interval], for stay: Interval) -> Interval? {
    visits.filter { $0.overlap(stay) > 0 }.max { $0.overlap(stay) < $1.overlap(stay) }
  }
}
