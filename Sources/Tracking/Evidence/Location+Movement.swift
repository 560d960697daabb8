import Core
import Records

extension Location {
  /// How far a board at rest may appear to wander, beyond the errors of its locations.
  private static let wander: Metres = 40

  /// Whether it was taken at a speed that receiver noise cannot cause.
  var isRiding: Bool { (speed ?? 0) >= 2.5 && accuracy <= 20 }

  func distance(from other: Location) -> Metres { Sphere.distance(other.position, position) }

  /// Whether a board that was at the other location has moved.
  func isElsewhere(than other: Location) -> Bool {
    distance(from: other) > Self.wander + (accuracy + other.accuracy) * 1.5
  }

  /// The receiver's speed, or the average speed since the last location, if higher.
  func speed(
    since last: (location: Location, at: BootInstant)?, at now: BootInstant
  ) -> MetresPerSecond {
    let measured = speed ?? 0
    guard let last, now - last.at > 5, now - last.at < 600 else { return measured }
    return max(measured, distance(from: last.location) / (now - last.at))
  }
}
