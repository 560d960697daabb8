import Core
import Records

/// Whether the board can have reached its location: reflected signals move a fix by hundreds of
/// metres within a second, with a good claimed accuracy, and back some seconds later.
struct SpeedPlausibility: Sendable {
  /// The distance of two locations that errors alone explain, in multiples of their accuracies.
  private static let errors = 2.0

  /// The last plausible location. With enough time every distance becomes plausible.
  private var last: (location: Location, at: BootInstant)?

  /// - Parameter now: when it was taken; never earlier than before.
  mutating func isCredible(_ location: Location, at now: BootInstant) -> Bool {
    if let last {
      // When a recording is replayed fast, the clock advances less than the receiver's time.
      let time = max(now - last.at, location.time - last.location.time)
      if isTooFar(location, from: last.location, within: time) { return false }
    }
    last = (location, now)
    return true
  }

  private func isTooFar(
    _ location: Location, from last: Location, within time: Seconds
  ) -> Bool {
    let speed = PossibleSpeed.after(max(last.speed ?? 0, location.speed ?? 0))
    let way = Sphere.distance(last.position, location.position)
    return way - (last.accuracy + location.accuracy) * Self.errors > speed * time
  }
}
