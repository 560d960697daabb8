import Core
import Records

/// Finds the trips in a store. It receives the visits first, then the track points in the order of
/// time.
public struct TripFinder {
  /// A trip without its path.
  private struct Outline {
    let from: Visit
    let to: Visit
    let departure: TimeEstimate

    /// Between these it was moving, or not known to be at either place.
    var window: (after: UTCInstant, before: UTCInstant) {
      (departure.earliest, to.arrival.latest)
    }
  }

  private(set) var trips: [Trip] = []
  private let names: PlaceNames
  private let bound: Metres
  private let outlines: [Outline]
  private var next = 0
  private var path: TripPath?

  /// - Parameters:
  ///   - visits: in the order of their arrival.
  ///   - labels: the user's names of destinations.
  ///   - bound: the greatest distance from the stored track of a location that the simplifier left
  ///     out.
  public init(_ visits: [Visit], labels: [Int64: String], bound: Metres) {
    names = PlaceNames(labels)
    self.bound = bound
    outlines = zip(visits, visits.dropFirst()).compactMap { from, to in
      // Another program may have inserted one that ends after the next has begun.
      guard let departure = from.departure, departure.earliest < to.arrival.latest else {
        return nil
      }
      return Outline(from: from, to: to, departure: departure)
    }
  }

  public mutating func add(_ point: TrackPoint) {
    let location = point.location
    while next < outlines.count, outlines[next].window.before <= location.time { end() }
    guard next < outlines.count, outlines[next].window.after < location.time else { return }
    var path = path ?? start(outlines[next])
    path.go(
      to: TripPath.Stop(
        position: location.position, time: location.time, accuracy: location.accuracy,
        speed: location.speed, isCoarse: location.source == .coarse))
    self.path = path
  }

  public mutating func finish() {
    while next < outlines.count { end() }
  }

  /// The trips that overlap a range.
  public func trips(from start: UTCInstant?, to end: UTCInstant?) -> [Trip] {
    trips.filter { trip in
      (start.map { trip.arrival.estimate >= $0 } ?? true)
        && (end.map { trip.departure.estimate < $0 } ?? true)
    }
  }

  private func start(_ outline: Outline) -> TripPath {
    TripPath(
      from: TripPath.Stop(
        position: outline.from.position, time: outline.window.after,
        accuracy: outline.from.accuracy),
      bound: bound)
  }

  private mutating func end() {
    let outline = outlines[next]
    var path = path ?? start(outline)
    path.go(
      to: TripPath.Stop(
        position: outline.to.position, time: outline.window.before, accuracy: outline.to.accuracy))
    trips.append(
      Trip(
        from: end(outline.from), to: end(outline.to), departure: outline.departure,
        arrival: outline.to.arrival, distance: Metres(path.length),
        distanceUncertainty: path.uncertainty, unwatched: path.unwatched,
        unwatchedDistance: Metres(path.unwatchedLength), coarsePoints: path.coarseStops,
        mode: path.mode))
    self.path = nil
    next += 1
  }

  private func end(_ visit: Visit) -> Trip.End {
    Trip.End(visit: visit.id, destination: visit.destination, name: names.name(of: visit))
  }
}
