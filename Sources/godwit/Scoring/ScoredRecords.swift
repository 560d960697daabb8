import Core
import Runtime
import Records
import Analysis

/// What a run stores, as far as it is scored; kept in memory, so that the thousands of runs of a
/// comparison write nothing to the disk.
final class ScoredRecords {
  private var visits: [Int64: Visit] = [:]
  private var withdrawnVisits: [Visit] = []
  private var points: [StoredRoute.Point] = []
  private var sessions: [Int64: GnssSession] = [:]

  /// A time with the receiver on.
  struct Search {
    let time: Interval
    let hasFix: Bool
  }

  /// - Parameter source: whose records are kept here as soon as they are stored.
  init(of source: StoreSource) {
    source.onStored = { [unowned self] records in
      for record in records { add(record) }
    }
  }

  private func add(_ record: Record) {
    switch record {
    case .trackPoint(let point):
      points.append(
        StoredRoute.Point(time: point.location.time, position: point.location.position))
    case .trackPointReplaced(let time):
      // GNSS has delivered a better one, so the last point of that time is dropped.
      if let index = points.lastIndex(where: { $0.time == time }) { points.remove(at: index) }
    case .visit(let visit): visits[visit.id] = visit
    case .visitWithdrawn(let id):
      if let visit = visits.removeValue(forKey: id) { withdrawnVisits.append(visit) }
    case .session(let session): sessions[session.id] = session
    default: break
    }
  }

  // MARK: What was stored

  var route: StoredRoute { StoredRoute(points) }

  /// From each switch-on to the first fix.
  var searchTimes: [Seconds] {
    sessions.sorted { $0.key < $1.key }.compactMap(\.value.timeToFirstFix)
  }

  /// In any order, without those whose times are unknown.
  var searches: [Search] {
    sessions.values.compactMap { session in
      guard let on = session.on, let off = session.off else { return nil }
      return Search(time: Interval(on, off), hasFix: session.timeToFirstFix != nil)
    }
  }

  /// - Parameter end: of an open visit.
  func stays(until end: UTCInstant) -> [Interval] {
    visits.values.map { Interval($0, until: end) }
      .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
  }

  /// The visits that were announced and withdrawn.
  /// - Parameter end: of an open visit.
  func withdrawn(until end: UTCInstant) -> [Interval] {
    withdrawnVisits.map { Interval($0, until: end) }
  }
}

extension Interval {
  fileprivate init(_ visit: Visit, until end: UTCInstant) {
    self.init(
      visit.arrival.estimate, visit.departure?.estimate ?? end, at: visit.position,
      claims: VisitClaims(visit))
  }
}

extension VisitClaims {
  fileprivate init(_ visit: Visit) {
    self.init(
      id: visit.id, arrival: visit.arrival.earliest...visit.arrival.latest,
      departure: visit.departure.map { $0.earliest...$0.latest }, accuracy: visit.accuracy,
      confidence: visit.confidence, destination: visit.destination)
  }
}
