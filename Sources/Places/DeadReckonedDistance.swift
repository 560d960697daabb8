import Core
import Records

/// The way out of a place as the measured speed has it, while locations come second by second.
///
/// Locations a second apart err alike: reflections and the slow error of a position last for many
/// of them, so that the second says no more than the first. The speed is measured by the Doppler
/// shift, which errs otherwise: an error that wanders out of a place has no speed, and one that
/// leaps out of it leaves a gap that no speed fills. Who was seen inside and has gone the way from
/// there by the measured speed has left.
struct DeadReckonedDistance: Sendable {
  /// Locations farther apart in time do not tell of the way between.
  private static let step: Seconds = 5
  /// For so long small errors of the speed have not added up.
  private static let longest: Seconds = 120
  /// What is slower may be noise.
  private static let slowest: MetresPerSecond = 0.8
  /// Of the way as the positions have it.
  private static let share = 0.7
  /// As a car accelerates between two locations.
  private static let acceleration = 1.5
  /// So many times the accuracy lies between what tells one position from the other.
  private static let errors = 2.0

  /// Where it was inside last; nil: nothing is known of how it has come here.
  private var origin: (location: Location, at: BootInstant)?
  private var last: (location: Location, at: BootInstant)?
  /// From the origin to the last location, by the measured speed.
  private var way: Metres = 0

  /// - Parameter isInside: whether the location is inside for sure; nil: it is not known well
  ///   enough to go on from.
  mutating func located(_ location: Location, isInside: Bool?, at now: BootInstant) {
    defer { last = (location, now) }
    guard let isInside, location.source == .gnss, let speed = location.speed, speed >= 0 else {
      return origin = nil
    }
    if isInside {
      origin = (location, now)
      way = 0
      return
    }
    guard let origin, let last, now - last.at <= Self.step, now - origin.at <= Self.longest,
      leads(from: last.location, to: location, at: speed, within: now - last.at)
    else { return self.origin = nil }
    if speed >= Self.slowest { way = way + speed * (now - last.at) }
  }

  private func leads(
    from last: Location, to location: Location, at speed: MetresPerSecond, within time: Seconds
  ) -> Bool {
    let fastest = max(speed, last.speed ?? 0) * Self.acceleration
    return Sphere.distance(last.position, location.position)
      <= fastest * time + max(last.accuracy, location.accuracy)
  }

  /// Whether the board has gone from inside to where it was located last.
  var isGone: Bool {
    guard let origin, let last else { return false }
    let distance = Sphere.distance(origin.location.position, last.location.position)
    let accuracy = max(origin.location.accuracy, last.location.accuracy)
    return distance >= accuracy * Self.errors && way >= distance * Self.share
  }
}
