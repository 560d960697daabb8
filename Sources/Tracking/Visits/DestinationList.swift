import Core
import Records

/// Merges visits into destinations: every visit belongs to the likeliest known place, as
/// `DestinationMatch` decides, or makes a new one, from its first report.
///
/// A look-up costs a scan over the known places with two comparisons each; a lifetime has a few
/// thousand.
public struct DestinationList: Sendable {
  private let match: DestinationMatch
  public private(set) var destinations: [Destination]
  private var nextID: Int64
  /// The highest id in use.
  var lastID: Int64 { nextID - 1 }
  /// Nil: no visit was added.
  private var latest: Contribution?
  /// The contribution of the visit before; nil: unknown.
  private var previous: Contribution?

  /// The visit that was added last and its destination as it was before (nil: it was new), so that
  /// the same visit can be added again with better figures when it is resumed.
  private struct Contribution: Sendable {
    var visit: Int64
    var destination: Int64
    var before: Destination?

    mutating func renumber(by shift: Renumbering) {
      visit += shift.visits
      destination += shift.destinations
      before = before.map { shift($0) }
    }
  }

  /// - Parameter lastID: the highest id in use, if it is higher than those of `destinations`.
  init(_ destinations: [Destination] = [], lastID: Int64 = 0, reach: Metres = 100) {
    self.destinations = destinations
    match = DestinationMatch(reach: reach)
    let known = destinations.lazy.map(\.id).filter { $0 <= RecordIdentifier.highest }.max() ?? 0
    nextID = RecordIdentifier.following(max(lastID, known))
  }

  /// The visit at its destination, if that is a known one, located by its other visits as well.
  func placed(_ visit: Visit) -> Visit {
    var visit = visit
    if let latest, latest.visit == visit.id {
      visit.destination = latest.destination
      return latest.before.map { match.placed(visit, at: $0) } ?? visit
    }
    guard let index = likeliest(for: visit) else { return visit }
    visit.destination = destinations[index].id
    return match.placed(visit, at: destinations[index])
  }

  /// Counts a visit and returns its destination, changed or new. Adding the last visit again
  /// replaces its contribution.
  /// - Parameter undone: called with the change of its earlier destination, if that is now another
  ///   one.
  mutating func add(
    _ visit: Visit, undone: (Withdrawal) -> Void = { _ in }
  ) -> Destination {
    let earlier = takeBack(visit.id)
    if earlier == nil { previous = latest }
    let destination = counted(visit, reusing: earlier?.removed)
    if let earlier, earlier.id != destination.id { undone(earlier) }
    return destination
  }

  private mutating func counted(_ visit: Visit, reusing reused: Int64?) -> Destination {
    let dwell = visit.duration(until: visit.lastSeen ?? visit.arrival.estimate)
    if let index = likeliest(for: visit) {
      let before = destinations[index]
      latest = Contribution(visit: visit.id, destination: before.id, before: before)
      destinations[index] = match.pooled(before, with: visit, dwell: dwell)
      return destinations[index]
    }
    let id = reused ?? nextID
    nextID = max(nextID, RecordIdentifier.following(id))
    latest = Contribution(visit: visit.id, destination: id)
    let new = Destination(
      id: id, position: visit.position, radius: visit.accuracy, visits: 1, totalDwell: dwell,
      unwatched: visit.unobserved)
    destinations.append(new)
    return new
  }

  /// The change of a destination for which a visit no longer counts.
  enum Withdrawal: Hashable, Sendable {
    /// As it was before that visit.
    case restored(Destination)
    /// It had no other visit.
    case removed(id: Int64)

    var id: Int64 {
      switch self {
      case .restored(let destination): destination.id
      case .removed(let id): id
      }
    }

    fileprivate var removed: Int64? { if case .removed(let id) = self { id } else { nil } }
  }

  /// Withdraws the visit that was added last; nil: it had not been added. The one before it may yet
  /// be resumed.
  mutating func withdraw(_ visit: Int64) -> Withdrawal? {
    guard let withdrawal = takeBack(visit) else { return nil }
    latest = previous
    previous = nil
    return withdrawal
  }

  /// Removes the visit's contribution, if it was the last one added.
  private mutating func takeBack(_ visit: Int64) -> Withdrawal? {
    guard let latest, latest.visit == visit,
      let index = destinations.firstIndex(where: { $0.id == latest.destination })
    else { return nil }
    guard let before = latest.before else {
      return .removed(id: destinations.remove(at: index).id)
    }
    destinations[index] = before
    return .restored(before)
  }

  mutating func renumber(by shift: Renumbering) {
    destinations = destinations.map { shift($0) }
    nextID += shift.destinations
    latest?.renumber(by: shift)
    previous?.renumber(by: shift)
  }

  private func likeliest(for visit: Visit) -> Int? {
    // What lies outside this band of latitudes is out of the question; 1 % covers all rounding.
    let band = match.farthest / Sphere.degree * 1.01
    let latitude = visit.position.latitude.value
    let plane = LocalPlane(origin: visit.position)
    let there = plane.point(visit.position)
    var best: (index: Int, likelihood: Double)?
    for index in destinations.indices {
      let other = destinations[index].position
      guard (other.latitude.value - latitude).magnitude <= band else { continue }
      let distance = plane.point(other).distance(to: there)
      guard let likelihood = match.likelihood(of: visit, at: destinations[index], distance),
        likelihood > best?.likelihood ?? 0
      else { continue }
      best = (index, likelihood)
    }
    return best?.index
  }
}

// MARK: Over a restart

extension DestinationList {
  /// Besides the destinations, which are in the store: the visit that may be resumed.
  static let fields = SnapshotFields<DestinationList>([
    .omittable("latest", \.latest, contribution),
    .omittable("previous", \.previous, contribution),
  ])

  private static let contribution = SnapshotFields<Contribution>([
    .required("visit", \.visit, .identifier),
    .required("destination", \.destination, .identifier),
    .omittable("before", \.before, .destination),
  ]).coding(onto: Contribution(visit: 0, destination: 0)) {
    $0.before == nil || $0.before?.id == $0.destination
  }
}

extension SnapshotCoding<Destination> {
  /// Everything except the label, which is in the store.
  fileprivate static let destination = SnapshotFields<Destination>([
    .required("id", \.id, .identifier), .position(\.position),
    .required("radius_m", \.radius, .of(.length)), .required("visits", \.visits, .count),
    .required("dwell_s", \.totalDwell, .of(.number(0...1e12))),
    .defaulted("unwatched_s", \.unobserved, .of(.number(0...1e12)), 0),
  ]).coding(
    onto: Destination(
      id: 0, position: Coordinate(latitude: 0, longitude: 0), radius: 0, visits: 0, totalDwell: 0))
}
