/// Sightings of a few seconds condensed into one, in metres on the detector's plane and seconds on
/// its clock.
struct Glimpse: Hashable, Sendable {
  var first: Double
  var last: Double
  var east: Double
  var north: Double
  /// The best claimed error among the sightings, metres.
  var accuracy: Double
  var sightings: Int

  func squaredDistance(east x: Double, north y: Double) -> Double {
    let dx = east - x
    let dy = north - y
    return dx * dx + dy * dy
  }

  mutating func add(_ other: Glimpse) {
    last = other.last
    sightings += other.sightings
    let share = Double(other.sightings) / Double(sightings)
    east += (other.east - east) * share
    north += (other.north - north) * share
    accuracy = min(accuracy, other.accuracy)
  }
}
