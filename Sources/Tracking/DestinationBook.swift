import Geodesy
import Quantities

/// Merges visits into destinations: one that lies within `mergeRadius` of a known destination is a
/// visit of that one. A visit that is told again, longer, replaces what it had contributed.
public struct DestinationBook: Sendable {
  struct Contribution: Hashable, Sendable {
    var visit: Int64
    var destination: Int64
    var dwell: Seconds
  }

  static let mostContributions = 8
  let mergeRadius: Metres
  private(set) var destinations: [Destination]
  /// What the last visits added, so that a visit which is told again is counted once.
  var contributions: [Contribution] = []
  private var nextID: Int64

  public init(mergeRadius: Metres, destinations: [Destination]) {
    self.mergeRadius = mergeRadius
    self.destinations = destinations
    nextID = (destinations.map(\.id).max() ?? 0) + 1
  }

  /// The destination that a place belongs to.
  public func destination(at place: Coordinate) -> Destination? {
    nearest(place).map { destinations[$0] }
  }

  /// Counts an ended visit. Answers its destination as it is now.
  public mutating func count(_ visit: Visit) -> Destination? {
    guard let departure = visit.departure else { return nil }
    let dwell = max(.zero, departure.estimate - visit.arrival.estimate)
    if let known = contributions.firstIndex(where: { $0.visit == visit.id }),
      let index = destinations.firstIndex(where: { $0.id == contributions[known].destination })
    {
      destinations[index].totalDwell += dwell - contributions[known].dwell
      contributions[known].dwell = dwell
      return destinations[index]
    }
    let index = nearest(visit.place) ?? add(visit)
    merge(visit, dwell: dwell, into: index)
    if contributions.count >= Self.mostContributions { contributions.removeFirst() }
    contributions.append(
      Contribution(visit: visit.id, destination: destinations[index].id, dwell: dwell))
    return destinations[index]
  }

  private func nearest(_ place: Coordinate) -> Int? {
    var best: (index: Int, distance: Metres)?
    for (index, candidate) in destinations.enumerated() {
      let distance = Sphere.distance(candidate.place, place)
      if distance <= mergeRadius, distance < best?.distance ?? Metres(.infinity) {
        best = (index, distance)
      }
    }
    return best?.index
  }

  private mutating func add(_ visit: Visit) -> Int {
    destinations.append(
      Destination(id: nextID, place: visit.place, radius: visit.accuracy, visits: 0, totalDwell: 0))
    nextID += 1
    return destinations.count - 1
  }

  /// Welford's update of mean and spread, in the plane around the destination.
  private mutating func merge(_ visit: Visit, dwell: Seconds, into index: Int) {
    var known = destinations[index]
    let plane = LocalPlane(origin: known.place)
    let offset = plane.point(visit.place)
    let count = Double(known.visits)
    let share = 1 / (count + 1)
    let distance = offset.distance(to: .init(east: 0, north: 0)).value
    let squares = count * known.radius.value * known.radius.value
    let spread = (squares + distance * distance * count * share) * share
    known.radius = max(Metres(spread.squareRoot()), visit.accuracy)
    known.place = plane.coordinate(.init(east: offset.east * share, north: offset.north * share))
    known.visits += 1
    known.totalDwell += dwell
    destinations[index] = known
  }
}
