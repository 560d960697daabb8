import Geodesy
import Quantities
import Records

/// The way of the board as its locations tell it, of which coarse ones may lie kilometres off with
/// the best of accuracies: an access point that was moved, a tower that answers from far away.
///
/// A location that cannot be reached in the time is not believed. One to which the way goes there
/// and back, much faster than the way straight on, is taken back when the next location shows that.
struct CoarseWay: Sendable {
  /// Faster than anything on the ground. A board in an airliner is located by its receiver.
  private static let fastest: MetresPerSecond = 100
  /// Nobody goes there and back faster than this, and than twice as fast as straight on.
  private static let detour: MetresPerSecond = 20
  /// How many times its accuracy a location may be off.
  private static let errors = 2.0

  private var before: Location?
  private var last: Location?

  /// - Returns: why it is not believed; nil: it may be.
  func objection(to location: Location) -> String? {
    guard let last, location.time > last.time else { return nil }
    let time = location.time - last.time
    let distance = Sphere.distance(last.position, location.position)
    guard
      distance - (last.accuracy + location.accuracy) * Self.errors > Self.fastest * time
    else { return nil }
    return "\(Int((distance.value / 1000).rounded())) km from where the board was "
      + "\(time.inWords) before"
  }

  /// - Returns: the coarse location before it, if it and the one before that contradict it.
  mutating func take(_ location: Location) -> Location? {
    guard location.time > last?.time ?? location.time - 1 else { return nil }
    if let before, let last, last.source == .coarse, Self.isDetour(last, before, location) {
      self.last = location
      return last
    }
    before = last
    last = location
    return nil
  }

  private static func isDetour(
    _ there: Location, _ before: Location, _ after: Location
  ) -> Bool {
    let time = after.time - before.time
    let way =
      Sphere.distance(before.position, there.position)
      + Sphere.distance(there.position, after.position)
    let errors = there.accuracy * 2 + before.accuracy + after.accuracy
    let straight = Sphere.distance(before.position, after.position)
    return way - errors > max(detour * time, straight * 2)
  }
}
