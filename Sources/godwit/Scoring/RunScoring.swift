import Formats
import Runtime
import Core
import Analysis
import VirtualDevice

/// Compares what a run stores with its truth, while and after it runs.
final class RunScoring {
  let records: ScoredRecords
  private let shortestStay: Seconds
  /// Written down by somebody; nil: the truth itself knows, or nobody does.
  private let written: [StayTable.Row]?
  private var track: TruthTrack
  private var way: [StoredRoute.Point] = []
  /// Of each position of the way, whether it was under a sky.
  private var skies: [Bool] = []

  /// - Parameters:
  ///   - truth: not queried before.
  ///   - shortestStay: a shorter one is neither rewarded nor punished.
  init(
    _ truth: any GroundTruth, shortestStay: Seconds, written: [StayTable.Row]?,
    records source: StoreSource
  ) {
    track = TruthTrack(truth, shortestStay: shortestStay)
    self.shortestStay = shortestStay
    self.written = written
    records = ScoredRecords(of: source)
  }

  /// Takes in the truth until then, so that it need not be kept.
  func passing(_ time: UTCInstant) { add(track.read(until: time)) }

  private func add(_ points: [TruthTrack.Point]) {
    for point in points where point.isUnderWay {
      way.append(StoredRoute.Point(time: point.time, position: point.state.position))
      skies.append(point.state.sky == .open || point.state.sky == .street)
    }
  }

  /// - Parameters:
  ///   - span: of the truth.
  ///   - planned: what the truth says of its stays; nil where it does not know any.
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
      score.visits = visits.counts
      score.arrivalErrors = visits.arrivalErrors
      score.departureErrors = visits.departureErrors
      score.positionErrors = visits.positionErrors
    }
    let rests = written == nil ? [] : (stays?.scored ?? []) + (stays?.unscored ?? [])
    var rest = rests.sorted { $0.start < $1.start }[...]
    records.route.errors(along: way) { index, error in
      while let first = rest.first, first.end < way[index].time { rest = rest.dropFirst() }
      // Whoever has written down a stay knows better than the speed whether it was one.
      if let first = rest.first, first.start <= way[index].time { return }
      score.route.add(error)
      if skies[index] { score.routeUnderSky.add(error) }
    }
    return score
  }

  /// - Returns: nil where nobody knows. `end` is that of a visit that goes on.
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

  /// What lies outside the trace nobody can find, and is told; a stay that reaches beyond it is cut
  /// off there.
  private static func split(
    _ rows: [StayTable.Row], within span: Interval, shortest: Seconds
  ) throws(CommandError) -> (scored: [Interval], unscored: [Interval], end: UTCInstant) {
    var scored: [Interval] = []
    var unscored: [Interval] = []
    var outside: [StayTable.Row] = []
    for row in rows {
      let stay = Interval(max(row.arrival, span.start), min(row.departure, span.end))
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
        "--stays: none of its stays, \(text(first.arrival)) to \(text(last.departure)), lies in "
          + "the trace, \(text(span.start)) to \(text(span.end)); are they another one's, or in "
          + "local time?")
    }
    if let first = outside.first {
      StandardError.tell(
        "--stays: \(outside.count) of its \(Counted.text(rows.count, "stay")) "
          + "\(outside.count == 1 ? "lies" : "lie") outside of the trace, \(text(span.start)) to "
          + "\(text(span.end)), and \(outside.count == 1 ? "does" : "do") not count, the first: "
          + "line \(first.number), \(text(first.arrival))")
    }
    return (scored, unscored, span.end)
  }

  private static func text(_ time: UTCInstant) -> String { ISO8601.text(time, digits: 0) }
}
