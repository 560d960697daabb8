import Core
import Records

/// The visit detector's findings from the last location.
public enum VisitChange: Hashable, Sendable {
  /// A stay is now certain; its arrival lies in the past.
  case began(Visit)
  /// The open visit's place or bounds moved.
  case updated(Visit)
  /// The board has left.
  case ended(Visit)
  /// An announced visit proved to be none.
  case withdrawn(id: Int64)

  /// The record to store.
  var record: Record {
    switch self {
    case .began(let visit), .updated(let visit), .ended(let visit): .visit(visit)
    case .withdrawn(let id): .visitWithdrawn(id: id)
    }
  }
}

/// Which visits have been announced, and under which ids.
struct VisitLedger: Sendable {
  /// The id of the next new visit.
  private(set) var nextID: Int64
  /// The open visit, as last reported.
  private(set) var open: Visit?
  /// The visit that ended last: it may be resumed.
  private(set) var ended: Visit?
  /// The centre of its locations, and when the last one was near it; nil: unknown.
  private(set) var endedCentre: Coordinate?
  private(set) var endedAt: UTCInstant?
  /// From the first arrival to the last departure of the visits that ended under the present date.
  private var visited: ClosedRange<UTCInstant>?
  /// The same for each earlier date, the oldest first.
  private var visitedBefore: [ClosedRange<UTCInstant>] = []

  /// The number of earlier dates kept. A receiver that changes its date more often has no usable
  /// date.
  private static let mostDates = 8

  init(nextID: Int64) { self.nextID = nextID }

  var isEmpty: Bool { open == nil && ended == nil }

  /// - Parameter visit: with `nextID`.
  mutating func begin(_ visit: Visit) -> VisitChange {
    nextID += 1
    open = visit
    return .began(visit)
  }

  /// Resumes the visit that ended last.
  mutating func reopen(_ visit: Visit) -> VisitChange {
    ended = nil
    return update(visit)
  }

  mutating func update(_ visit: Visit) -> VisitChange {
    open = visit
    return .updated(visit)
  }

  /// - Parameters:
  ///   - centre: of the locations of the visit.
  ///   - time: when the last one was near it.
  mutating func end(_ visit: Visit, at centre: Coordinate, time: UTCInstant) -> VisitChange {
    ended = visit
    endedCentre = centre
    endedAt = time
    open = nil
    let times = visit.arrival.earliest...(visit.departure ?? visit.arrival).latest
    visited =
      visited.map { min($0.lowerBound, times.lowerBound)...max($0.upperBound, times.upperBound) }
      ?? times
    return .ended(visit)
  }

  /// No reported visit can be resumed any more.
  mutating func closeLast() {
    open = nil
    ended = nil
  }

  /// From now on another date is valid. The reported visits remain.
  mutating func changeDate() {
    var next = VisitLedger(nextID: nextID)
    next.visitedBefore = (visitedBefore + [visited].compactMap { $0 }).suffix(Self.mostDates)
    self = next
  }

  /// Whether the time between overlaps visits that were reported under another date.
  /// - Parameters:
  ///   - last: excluded.
  ///   - time: included.
  func isTaken(after last: UTCInstant, until time: UTCInstant) -> Bool {
    visitedBefore.contains { $0.lowerBound <= time && $0.upperBound > last }
  }

  func isTaken(at time: UTCInstant) -> Bool { visitedBefore.contains { $0.contains(time) } }

  /// Withdraws a visit that was announced and has not ended.
  mutating func withdraw() -> VisitChange? {
    defer { open = nil }
    return open.map { .withdrawn(id: $0.id) }
  }

  /// Continues in a store whose ids differ from this run's.
  mutating func renumber(by shift: Renumbering) {
    nextID += shift.visits
    open = open.map { shift($0) }
    ended = ended.map { shift($0) }
  }
}

// MARK: Over a restart

extension VisitLedger {
  /// The store may have later visits than the snapshot.
  static let nextIDField = SnapshotField<VisitLedger>.required(
    "next_id", \.nextID, .identifier, merge: { max($0, $1) })
  static let fields: [SnapshotField<VisitLedger>] = [
    .optional("announced", \.open, .visit), .optional("ended", \.ended, .visit),
    .optional("ended_centre", \.endedCentre, .coordinate),
    .optional("ended_at", \.endedAt, .instant),
    .optional("visited", \.visited, .times),
    .defaulted("visited_before", \.visitedBefore, .list(0...mostDates, of: .times), []),
  ]
}

extension SnapshotCoding<ClosedRange<UTCInstant>> {
  fileprivate static let times = SnapshotCoding<[UTCInstant]>.list(2...2, of: .instant)
    .mapped(to: { $0[0] <= $0[1] ? $0[0]...$0[1] : nil }, from: { [$0.lowerBound, $0.upperBound] })
}

extension SnapshotCoding<Coordinate> {
  fileprivate static let coordinate = SnapshotFields<Coordinate>([.position(\.self)]).coding(
    onto: Coordinate(latitude: 0, longitude: 0))
}

extension SnapshotCoding<Visit> {
  /// Everything except the destination, which is matched again.
  static let visit = SnapshotFields<Visit>([
    .required("id", \.id, .identifier), .required("arrival", \.arrival, .estimate),
    .optional("departure", \.departure, .estimate), .position(\.position),
    .required("accuracy", \.accuracy, .of(.length)),
    .required("confidence", \.confidence, .number(0...1)),
    .required("sightings", \.locations, .count),
  ]).coding(
    onto: .init(
      id: 0, arrival: .init(exactly: .init(nanoseconds: 0)),
      position: .init(latitude: 0, longitude: 0), accuracy: 0, confidence: 0, locations: 0))
}

extension SnapshotCoding<TimeEstimate> {
  static let estimate = SnapshotFields<TimeEstimate>(
    [
      .required("estimate", \.estimate, .instant), .required("earliest", \.earliest, .instant),
      .required("latest", \.latest, .instant),
    ], as: .list
  ).coding(onto: .init(exactly: .init(nanoseconds: 0))) {
    $0.earliest <= $0.estimate && $0.estimate <= $0.latest
  }
}
