import Core
import Records

/// Whether the board can have come to where it is located: reflected signals pull a fix hundreds of
/// metres away within a second, with the best of accuracies, and let it go some seconds later.
struct SpeedPlausibility: Sendable {
  /// How many times their accuracies two locations may be apart without any way.
  private static let errors = 2.0

  /// The last one that was believed. As time passes, every way becomes credible.
  private var last: (location: Location, at: BootInstant)?

  /// - Parameter now: when it was taken; never earlier than before.
  mutating func isCredible(_ location: Location, at now: BootInstant) -> Bool {
    if let last {
      // Of a recording that is played fast the clock tells less than the receiver.
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
