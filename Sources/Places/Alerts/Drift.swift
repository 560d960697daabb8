import Core
import Records

/// The motion of something that should stay in place: the straight line through its last locations.
struct Drift: Sendable {
  /// Swinging at anchor takes minutes.
  private static let span: Seconds = 900
  private static let most = 60
  private static let fewest = 4

  private var sightings: [(position: Coordinate, at: BootInstant)] = []

  mutating func saw(_ location: Location, at now: BootInstant) {
    sightings.append((location.position, now))
    sightings.removeAll { now - $0.at > Self.span }
    if sightings.count > Self.most { sightings.removeFirst() }
  }

  /// Nil while there are too few locations.
  var estimate: (speed: MetresPerSecond, bearing: Degrees)? {
    guard sightings.count >= Self.fewest, let first = sightings.first, let last = sightings.last
    else { return nil }
    let plane = LocalPlane(origin: first.position)
    let points = sightings.map {
      (time: ($0.at - first.at).value, place: plane.point($0.position))
    }
    let count = Double(points.count)
    let time = points.reduce(0) { $0 + $1.time } / count
    let spread = points.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
    guard last.at > first.at, spread > 0 else { return nil }
    let east = points.reduce(0) { $0 + ($1.time - time) * $1.place.east.value } / spread
    let north = points.reduce(0) { $0 + ($1.time - time) * $1.place.north.value } / spread
    let goal = plane.coordinate(
      LocalPlane.Point(east: Metres(east * 1000), north: Metres(north * 1000)))
    return (
      MetresPerSecond((east * east + north * north).squareRoot()),
      Sphere.bearing(from: first.position, to: goal)
    )
  }
}
