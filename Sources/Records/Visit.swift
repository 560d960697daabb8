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

/// The board stayed at a place for a while.
public struct Visit: Hashable, Sendable {
  /// Unique in one store, rising.
  public var id: Int64
  public var arrival: TimeEstimate
  /// Nil while the board is still there.
  public var departure: TimeEstimate?
  /// Weighted centre of the locations of the stay.
  public var place: Coordinate
  /// Standard error of `place`, never below what the receiver can tell.
  public var accuracy: Metres
  /// 0...1: how sure it is that this was a stay.
  public var confidence: Double
  /// Locations that support it.
  public var locations: Int
  public var destination: Int64?

  public init(
    id: Int64, arrival: TimeEstimate, departure: TimeEstimate? = nil, place: Coordinate,
    accuracy: Metres, confidence: Double, locations: Int, destination: Int64? = nil
  ) {
    self.id = id
    self.arrival = arrival
    self.departure = departure
    self.place = place
    self.accuracy = accuracy
    self.confidence = confidence
    self.locations = locations
    self.destination = destination
  }
}
