import Core
import Ports
import Records
import Analysis

/// What a run stores, as far as it is scored; kept in memory, so that the thousands of runs of a
/// comparison write nothing to the disk, and passed on to a store if the run has one.
final class ScoredRecords: StorePort {
  private let store: (any StorePort)?
  private var visits: [Int64: Visit] = [:]
  private var points: [StoredRoute.Point] = []
  /// By session.
  private var searches: [Int64: Seconds] = [:]

  init(passingTo store: (any StorePort)?) { self.store = store }

  var name: String { store?.name ?? "memory" }

  func write(_ records: [Record]) throws(StoreError) {
    try store?.write(records)
    for record in records { take(record) }
  }

  func applyRetention(now: UTCInstant) throws(StoreError) -> String? {
    try store?.applyRetention(now: now)
  }

  func trackerState() throws(StoreError) -> String? { try store?.trackerState() }

  func lastIdentifiers() throws(StoreError) -> StoreIdentifiers {
    try store?.lastIdentifiers() ?? StoreIdentifiers()
  }

  func destinations() throws(StoreError) -> [Destination] { try store?.destinations() ?? [] }

  func placeState() throws(StoreError) -> String? { try store?.placeState() }

  func places(
    near box: GeographicBox, atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(StoreError) -> PlaceReading {
    try store?.places(near: box, atMost: most, take) ?? PlaceReading()
  }

  func alerts() throws(StoreError) -> StoredAlerts { try store?.alerts() ?? StoredAlerts() }

  func waitingNotices(atMost most: Int) throws(StoreError) -> [Notice] {
    try store?.waitingNotices(atMost: most) ?? []
  }

  private func take(_ record: Record) {
    switch record {
    case .trackPoint(let point):
      points.append(
        StoredRoute.Point(time: point.location.time, position: point.location.position))
    case .trackPointReplaced(let time):
      // GNSS gave a better one: the last one of that moment is meant.
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

  /// - Parameter end: of a visit that goes on.
  func stays(until end: UTCInstant) -> [Interval] {
    visits.values.map { visit in
      Interval(visit.arrival.estimate, visit.departure?.estimate ?? end)
    }.sorted { $0.start < $1.start }
  }
}
