import Core
import VirtualDevice

/// A person on foot who stops for a while at each of some points.
public final class Stroll: GroundTruth {
  private static let speed: MetresPerSecond = 1.4
  public let start: UTCInstant
  public let end: UTCInstant? = nil
  public let hasEnded = false
  private let points: [Coordinate]
  private let pause: Seconds

  public init(from start: UTCInstant, _ points: [Coordinate], pause: Seconds) {
    self.start = start
    self.points = points
    self.pause = pause
  }

  public func state(at time: UTCInstant) -> TrueState? {
    var left = time - start
    for (from, to) in zip(points, points.dropFirst()) {
      guard left > pause else { return TrueState(position: from) }
      left = left - pause
      let way = Sphere.distance(from, to)
      let bearing = Sphere.bearing(from: from, to: to)
      guard left > way / Self.speed else {
        return TrueState(
          position: Sphere.destination(from: from, bearing: bearing, distance: Self.speed * left),
          speed: Self.speed, track: bearing)
      }
      left = left - way / Self.speed
    }
    return TrueState(position: points[points.count - 1])
  }

  public func accessPoint(at time: UTCInstant) -> AccessPoint? { nil }
  public func another() -> any GroundTruth { Stroll(from: start, points, pause: pause) }
}
