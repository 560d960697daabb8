import Core

/// The track of a person, along one line to the east of the centre.
struct VirtualPath {
  static let home = Coordinate(latitude: 48.2, longitude: 16.37)

  static func position(_ east: Metres) -> Coordinate {
    Sphere.destination(from: home, bearing: 90, distance: east)
  }

  private var from: (time: Double, east: Metres)
  private var to: (time: Double, east: Metres)

  init(at east: Metres) {
    from = (0, east)
    to = (0, east)
  }

  func east(at time: Double) -> Metres {
    guard time < to.time else { return to.east }
    let part = (time - from.time) / (to.time - from.time)
    // Nobody starts and stops instantly.
    return from.east + (to.east - from.east) * (part * part * (3 - 2 * part))
  }

  /// Moves from now on, whatever the track was before.
  mutating func go(to east: Metres, taking seconds: Double, from now: Double) {
    from = (now, self.east(at: now))
    to = (now + seconds, east)
  }
}
