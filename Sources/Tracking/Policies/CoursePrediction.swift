import Core
import Records

/// How soon the board may be far from its predicted position, estimated from the errors of earlier
/// predictions.
///
/// The prediction is straight motion at the last speed. Turning and braking are accelerations
/// relative to it, and recent ones may recur: the error grows with the square of the time. A
/// straight road needs few locations, however fast it is driven.
struct CoursePrediction: Sendable {
  /// The worst of this many values counts: a road that is straight for one pause may be a
  /// coincidence.
  private static let memory = 3
  /// Metres per second squared; straight roads end at junctions.
  private static let minAcceleration = 0.02
  /// Locations farther apart do not predict the motion.
  private static let maxPause: Seconds = 600
  /// At shorter intervals the receiver's noise dominates.
  private static let minPause: Seconds = 3

  private var last: (location: Location, at: BootInstant)?
  /// Metres per second squared, the newest last.
  private var accelerations: [Double] = []

  /// Handles a location while moving.
  mutating func located(_ location: Location, at now: BootInstant) {
    defer { last = (location, now) }
    guard let last, now - last.at <= Self.maxPause,
      let expected = Self.after(now - last.at, last.location)
    else { return accelerations = [] }
    let pause = (now - last.at).value
    guard pause >= Self.minPause.value else { return }
    let miss = Sphere.distance(expected, location.position) - location.accuracy
    accelerations.append(max(0, 2 * miss.value / (pause * pause)))
    accelerations = accelerations.suffix(Self.memory)
  }

  /// The position after straight motion; nil: the receiver has not reported its course.
  private static func after(_ pause: Seconds, _ location: Location) -> Coordinate? {
    guard let speed = location.speed, let track = location.track else { return nil }
    return Sphere.destination(from: location.position, bearing: track, distance: speed * pause)
  }

  /// The board rests, or its course is unknown.
  mutating func forget() { self = CoursePrediction() }

  /// When the prediction may be off by `error`; nil: too few values are known.
  func pause(for error: Metres) -> Seconds? {
    guard accelerations.count == Self.memory, let worst = accelerations.max() else { return nil }
    return Seconds((2 * error.value / max(worst, Self.minAcceleration)).squareRoot())
  }
}
