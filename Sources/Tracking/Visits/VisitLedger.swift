import Core
import Records

/// What the visit detector found out with the last location.
public enum VisitChange: Hashable, Sendable {
  /// A stay is now certain; its arrival lies in the past.
  case began(Visit)
  /// The open visit's place or bounds moved.
  case updated(Visit)
  /// The board has left.
  case ended(Visit)
  /// What had been announced as a visit proved to be none.
  case withdrawn(id: Int64)

  /// As it is stored.
  var record: Record {
    switch self {
    case .began(let visit), .updated(let visit), .ended(let visit): .visit(visit)
    case .withdrawn(let id): .visitWithdrawn(id: id)
    }
  }
}

/// Which visits have been announced, and under which ids.
struct VisitLedger: Sendable {
  /// Of the next visit that is new.
  private(set) var nextID: Int64
  /// The visit that goes on, as it was last told.
  private(set) var open: Visit?
  /// The visit that ended last: it may prove to go on.
  private(set) var ended: Visit?
  /// From the first arrival to the last departure of those that ended since the date changed last.
  private var visited: ClosedRange<UTCInstant>?
  /// The same of each date that held before, the oldest first.
  private var visitedBefore: [ClosedRange<UTCInstant>] = []

  /// A receiver whose date changes more often than that has none.
  private static let mostDates = 8

  init(nextID: Int64) { self.nextID = nextID }

  var isEmpty: Bool { open == nil && ended == nil }

  /// - Parameter visit: with `nextID`.
  mutating func begin(_ visit: Visit) -> VisitChange {
    nextID += 1
    open = visit
    return .began(visit)
  }

  /// The visit that ended last goes on.
  mutating func reopen(_ visit: Visit) -> VisitChange {
    ended = nil
    return update(visit)
  }

  mutating func update(_ visit: Visit) -> VisitChange {
    open = visit
    return .updated(visit)
  }

  mutating func end(_ visit: Visit) -> VisitChange {
    ended = visit
    open = nil
    let times = visit.arrival.earliest...(visit.departure ?? visit.arrival).latest
    visited =
      visited.map { min($0.lowerBound, times.lowerBound)...max($0.upperBound, times.upperBound) }
      ?? times
    return .ended(visit)
  }

  /// No visit that was told goes on, whatever comes.
  mutating func closeLast() {
    open = nil
    ended = nil
  }

  /// From now on another date holds. The visits told so far remain.
  mutating func changeDate() {
    var next = VisitLedger(nextID: nextID)
    next.visitedBefore = (visitedBefore + [visited].compactMap { $0 }).suffix(Self.mostDates)
    self = next
  }

  /// Whether the time between belongs, in part, to visits that were told while another date held.
  /// - Parameters:
  ///   - last: itself not between.
  ///   - time: itself between.
  func isTaken(after last: UTCInstant, until time: UTCInstant) -> Bool {
    visitedBefore.contains { $0.lowerBound <= time && $0.upperBound > last }
  }

  func isTaken(at time: UTCInstant) -> Bool { visitedBefore.contains { $0.contains(time) } }

  /// A visit that was announced and has not ended was none.
  mutating func withdraw() -> VisitChange? {
    defer { open = nil }
    return open.map { .withdrawn(id: $0.id) }
  }

  /// Goes on in a store whose ids are not this run's.
  mutating func renumber(by shift: Renumbering) {
    nextID += shift.visits
    open = open.map { shift($0) }
    ended = ended.map { shift($0) }
  }
}

// MARK: Over a restart

extension VisitLedger {
  /// The store may know of later visits than the snapshot does.
  static let nextIDField = SnapshotField<VisitLedger>.required(
    "next_id", \.nextID, .identifier, merge: { max($0, $1) })
  static let fields: [SnapshotField<VisitLedger>] = [
    .optional("announced", \.open, .visit), .optional("ended", \.ended, .visit),
    .optional("visited", \.visited, .times),
    .defaulted("visited_before", \.visitedBefore, .list(0...mostDates, of: .times), []),
  ]
}

extension SnapshotCoding<ClosedRange<UTCInstant>> {
  fileprivate static let times = SnapshotCoding<[UTCInstant]>.list(2...2, of: .instant)
    .mapped(to: { $0[0] <= $0[1] ? $0[0]...$0[1] : nil }, from: { [$0.lowerBound, $0.upperBound] })
}

extension SnapshotCoding<Visit> {
  /// All but the destination, which is found again.
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
