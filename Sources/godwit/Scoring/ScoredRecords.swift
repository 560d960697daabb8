import Core
import Runtime
import Records
import Analysis

/// What a run stores, as far as it is scored; kept in memory, so that the thousands of runs of a
/// comparison write nothing to the disk.
final class ScoredRecords {
  private var visits: [Int64: Visit] = [:]
  private var points: [StoredRoute.Point] = []
  /// By session.
  private var searches: [Int64: Seconds] = [:]

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
    case .visitWithdrawn(let id): visits[id] = nil
    case .session(let session): searches[session.id] = session.timeToFirstFix
    default: break
    }
  }

  // MARK: What was stored

  var route: StoredRoute { StoredRoute(points) }

  var searchTimes: [Seconds] { searches.sorted { $0.key < $1.key }.map(\.value) }

  /// - Parameter end: of an open visit.
  func stays(until end: UTCInstant) -> [Interval] {
    visits.values.map { visit in
      Interval(visit.arrival.estimate, visit.departure?.estimate ?? end, at: visit.position)
    }.sorted { $0.start < $1.start }
  }
}
