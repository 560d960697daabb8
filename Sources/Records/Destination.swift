import Quantities

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
