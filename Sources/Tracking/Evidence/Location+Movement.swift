import Core
import Records

extension Location {
  /// What a board at rest may be seen to wander, beyond the errors of its locations.
  private static let wander: Metres = 40

  /// Whether it was taken at a speed that no receiver makes of noise.
  var isRiding: Bool { (speed ?? 0) >= 2.5 && accuracy <= 20 }

  func distance(from other: Location) -> Metres { Sphere.distance(other.position, position) }

  /// Whether a board that was at the other one has moved.
  func isElsewhere(than other: Location) -> Bool {
    distance(from: other) > Self.wander + (accuracy + other.accuracy) * 1.5
  }

  /// What the receiver measures, or what the way from the last location took, if that is longer.
  func speed(
    since last: (location: Location, at: BootInstant)?, at now: BootInstant
  ) -> MetresPerSecond {
    let measured = speed ?? 0
    guard let last, now - last.at > 5, now - last.at < 600 else { return measured }
    return max(measured, distance(from: last.location) / (now - last.at))
  }
}
