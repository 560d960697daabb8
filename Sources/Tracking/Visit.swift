import Quantities

/// A moment that was not watched: the best guess and the bounds outside which it cannot lie.
/// `earliest <= estimate <= latest`.
public struct TimeEstimate: Hashable, Sendable {
  public var estimate: UTCInstant
  public var earliest: UTCInstant
  public var latest: UTCInstant

  public init(estimate: UTCInstant, earliest: UTCInstant, latest: UTCInstant) {
    self.estimate = estimate
    self.earliest = earliest
    self.latest = latest
  }

  public init(exactly instant: UTCInstant) {
    self.init(estimate: instant, earliest: instant, latest: instant)
  }
}

/// The carrier stayed at a place for a while.
public struct Visit: Hashable, Sendable {
  /// Unique in one store, rising.
  public var id: Int64
  public var arrival: TimeEstimate
  /// Nil while the carrier is still there.
  public var departure: TimeEstimate?
  /// Weighted centre of the sightings of the stay.
  public var place: Coordinate
  /// Standard error of `place`, never below what the receiver can tell.
  public var accuracy: Metres
  /// 0...1: how sure it is that this was a stay.
  public var confidence: Double
  /// Sightings that support it.
  public var sightings: Int
  public var destination: Int64?

  public init(
    id: Int64, arrival: TimeEstimate, departure: TimeEstimate? = nil, place: Coordinate,
    accuracy: Metres, confidence: Double, sightings: Int, destination: Int64? = nil
  ) {
    self.id = id
    self.arrival = arrival
    self.departure = departure
    self.place = place
    self.accuracy = accuracy
    self.confidence = confidence
    self.sightings = sightings
    self.destination = destination
  }
}

/// What the visit detector found out with the last sighting.
public enum VisitChange: Hashable, Sendable {
  /// A stay is now certain; its arrival lies in the past.
  case began(Visit)
  /// The open visit's place or bounds moved.
  case updated(Visit)
  /// The carrier has left.
  case ended(Visit)
  /// What had been announced as a visit proved to be none.
  case withdrawn(id: Int64)
}

/// A place that was visited, once or often.
public struct Destination: Hashable, Sendable {
  public var id: Int64
  public var place: Coordinate
  /// Root mean square distance of its visits from `place`, at least the visits' own accuracy.
  public var radius: Metres
  public var visits: Int
  /// Over all ended visits.
  public var totalDwell: Seconds
  /// Given by the user, never invented.
  public var label: String?

  public init(
    id: Int64, place: Coordinate, radius: Metres, visits: Int, totalDwell: Seconds,
    label: String? = nil
  ) {
    self.id = id
    self.place = place
    self.radius = radius
    self.visits = visits
    self.totalDwell = totalDwell
    self.label = label
  }
}
