import Core
import Records

/// How soon the board may be far from where it is expected, from how well its last locations could
/// have been foretold.
///
/// After each location it is expected to go straight on at its speed. What it does instead, turning
/// and braking, is an acceleration away from that, and what it did lately it may do again: the
/// error grows with the square of the time. A straight road needs few locations, however fast it is
/// driven.
struct CoursePrediction: Sendable {
  /// The worst of so many counts: a road that is straight for one pause is a chance.
  private static let memory = 3
  /// Metres per second squared; straight roads end at junctions.
  private static let minAcceleration = 0.02
  /// What is farther apart tells nothing of how it goes on.
  private static let maxPause: Seconds = 600
  /// In less time the receiver's noise decides.
  private static let minPause: Seconds = 3

  private var last: (location: Location, at: BootInstant)?
  /// Metres per second squared, the newest last.
  private var accelerations: [Double] = []

  /// It was located under way.
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

  /// Where a board that goes straight on is by then; nil: the receiver has not told its course.
  private static func after(_ pause: Seconds, _ location: Location) -> Coordinate? {
    guard let speed = location.speed, let track = location.track else { return nil }
    return Sphere.destination(from: location.position, bearing: track, distance: speed * pause)
  }

  /// It rests, or nobody knows where it goes.
  mutating func forget() { self = CoursePrediction() }

  /// When it may be so far from where it is expected; nil: too little is known of its way.
  func pause(for error: Metres) -> Seconds? {
    guard accelerations.count == Self.memory, let worst = accelerations.max() else { return nil }
    return Seconds((2 * error.value / max(worst, Self.minAcceleration)).squareRoot())
  }
}
