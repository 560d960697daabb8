import Formats
import Runtime
import Core
import Analysis
import VirtualDevice

/// Compares the records of a run with its truth, during and after the run.
final class RunScoring {
  let records: ScoredRecords
  private let shortestStay: Seconds
  /// Stays from a file; nil: the truth contains them, or they are unknown.
  private let written: [StayTable.Row]?
  private var track: TruthTrack
  private var route: [StoredRoute.Point] = []
  /// Nil before the end, and where the true stays are unknown.
  private var scored: (visits: VisitScore, unscored: [Interval], end: UTCInstant)?
  /// For each position of the way, whether it had satellite reception.
  private var skies: [Bool] = []

  /// - Parameters:
  ///   - truth: not queried before.
  ///   - shortestStay: a shorter stay counts neither as found nor as missed.
  init(
    _ truth: any GroundTruth, shortestStay: Seconds, written: [StayTable.Row]?,
    records source: StoreSource
  ) {
    track = TruthTrack(truth, shortestStay: shortestStay)
    self.shortestStay = shortestStay
    self.written = written
    records = ScoredRecords(of: source)
  }

  /// Reads the truth until then, so that memory stays bounded.
  func passing(_ time: UTCInstant) { add(track.read(until: time)) }

  private func add(_ points: [TruthTrack.Point]) {
    for point in points where point.isUnderWay {
      route.append(StoredRoute.Point(time: point.time, position: point.state.position))
      skies.append(point.state.reception == .open || point.state.reception == .street)
    }
  }

  /// - Parameters:
  ///   - span: of the truth.
  ///   - planned: the stays in the truth; nil if it contains none.
  func finish(over span: Interval, planned: [PlannedStay]?) throws(CommandError) -> RunScore {
    add(track.read(until: span.end))
    add(track.finish())
    let records = records
    var score = RunScore(searchTimes: records.searchTimes)
    let stays = try trueStays(within: span, planned: planned)
    if let stays {
      let visits = VisitScore(
        stays: stays.scored, unscored: stays.unscored, found: records.stays(until: stays.end),
        shortest: shortestStay)
      score.add(visits)
      scored = (visits, stays.unscored, stays.end)
    }
    let rests = written == nil ? [] : (stays?.scored ?? []) + (stays?.unscored ?? [])
    var rest = rests.sorted { $0.start < $1.start }[...]
    records.route.errors(along: route) { index, error in
      while let first = rest.first, first.end < route[index].time { rest = rest.dropFirst() }
      // A recorded stay takes precedence over the speed as evidence of rest.
      if let first = rest.first, first.start <= route[index].time { return }
      score.route.add(error)
      if skies[index] { score.routeWithReception.add(error) }
    }
    return score
  }

  /// The score in detail; nil before the end, and where the true stays are unknown.
  func table() -> TruthTable? {
    scored.map {
      TruthTable(
        $0.visits, unscored: $0.unscored, records: records, until: $0.end, shortest: shortestStay)
    }
  }

  /// - Returns: nil if they are unknown. `end` is that of an open visit.
  private func trueStays(
    within span: Interval, planned: [PlannedStay]?
  ) throws(CommandError) -> (scored: [Interval], unscored: [Interval], end: UTCInstant)? {
    if let written { return try Self.split(written, within: span, shortest: shortestStay) }
    guard let planned else { return nil }
    let all = planned.map { Interval($0.arrival, $0.departure, at: $0.place.position) }
    return (
      all.filter { $0.length >= shortestStay }, all.filter { $0.length < shortestStay },
      all.map(\.end).max() ?? span.end
    )
  }

  /// Stays outside the trace cannot be found, and are reported; a stay that extends beyond it is
  /// cut off there.
  private static func split(
    _ rows: [StayTable.Row], within span: Interval, shortest: Seconds
  ) throws(CommandError) -> (scored: [Interval], unscored: [Interval], end: UTCInstant) {
    var scored: [Interval] = []
    var unscored: [Interval] = []
    var outside: [StayTable.Row] = []
    for row in rows {
      let stay = Interval(
        max(row.arrival, span.start), min(row.departure, span.end), at: row.position)
      guard row.arrival < span.end, row.departure > span.start else {
        outside.append(row)
        continue
      }
      if row.isScored, stay.length >= shortest {
        scored.append(stay)
      } else {
        unscored.append(stay)
      }
    }
    if let first = rows.first, let last = rows.last, scored.isEmpty, unscored.isEmpty {
      throw .failed(
        "--stays: none of its stays, \(text(first.arrival)) to \(text(last.departure)), is in "
          + "the trace, \(text(span.start)) to \(text(span.end)); check that they belong to this "
          + "trace and are in UTC")
    }
    if let first = outside.first {
      StandardError.report(
        "--stays: \(outside.count) of its \(Counted.text(rows.count, "stay")) "
          + "\(outside.count == 1 ? "is" : "are") outside the trace, \(text(span.start)) to "
          + "\(text(span.end)), and \(outside.count == 1 ? "does" : "do") not count, the first: "
          + "line \(first.number), \(text(first.arrival))")
    }
    return (scored, unscored, span.end)
  }

  private static func text(_ time: UTCInstant) -> String { ISO8601.text(time, digits: 0) }
}
