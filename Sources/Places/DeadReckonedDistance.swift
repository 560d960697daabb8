import Core
import Records

/// The distance out of a place by the measured speed, for locations that come every second.
///
/// The errors of locations a second apart are correlated: reflections and slow position errors last
/// for many of them, so that the second adds no information. The speed is measured by the Doppler
/// shift, with different errors: a position error that drifts out of a place has no speed, and one
/// that jumps out of it leaves a gap that the speed does not explain. A board that was inside and
/// has covered the distance by the measured speed has left.
struct DeadReckonedDistance: Sendable {
  /// With a larger time between locations the path between them is unknown.
  private static let step: Seconds = 5
  /// Within this time small errors of the speed do not add up.
  private static let longest: Seconds = 120
  /// A lower speed may be noise.
  private static let slowest: MetresPerSecond = 0.8
  /// The required share of the distance between the positions.
  private static let share = 0.7
  /// A car's acceleration between two locations.
  private static let acceleration = 1.5
  /// The distance of two positions that differ significantly, in multiples of the accuracy.
  private static let errors = 2.0

  /// The last location inside; nil: the path from there is unknown.
  private var origin: (location: Location, at: BootInstant)?
  private var last: (location: Location, at: BootInstant)?
  /// The distance from the origin to the last location, by the measured speed.
  private var distance: Metres = 0

  /// - Parameter isInside: whether the location is certainly inside; nil: it is not accurate enough
  ///   to continue from.
  mutating func located(_ location: Location, isInside: Bool?, at now: BootInstant) {
    defer { last = (location, now) }
    guard let isInside, location.source == .gnss, let speed = location.speed, speed >= 0 else {
      return origin = nil
    }
    if isInside {
      origin = (location, now)
      distance = 0
      return
    }
    guard let origin, let last, now - last.at <= Self.step, now - origin.at <= Self.longest,
      leads(from: last.location, to: location, at: speed, within: now - last.at)
    else { return self.origin = nil }
    if speed >= Self.slowest { distance = distance + speed * (now - last.at) }
  }

  private func leads(
    from last: Location, to location: Location, at speed: MetresPerSecond, within time: Seconds
  ) -> Bool {
    let fastest = max(speed, last.speed ?? 0) * Self.acceleration
    return Sphere.distance(last.position, location.position)
      <= fastest * time + max(last.accuracy, location.accuracy)
  }

  /// Whether the board has moved from inside to its last location.
  var isGone: Bool {
    guard let origin, let last else { return false }
    let distance = Sphere.distance(origin.location.position, last.location.position)
    let accuracy = max(origin.location.accuracy, last.location.accuracy)
    return distance >= accuracy * Self.errors && self.distance >= distance * Self.share
  }
}
