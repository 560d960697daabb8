import Core
import Records

/// Rate limit for a source that reports unsolicited. As in SLU, one location per 300 s is accepted,
/// and one at once after 500 m (section 2.2 of Stylianou's paper).
struct SignificantRate: Sendable {
  private static let interval: Seconds = 300
  private static let distance: Metres = 500

  private var last: (position: Coordinate, at: BootInstant)?

  /// - Parameter wasAsked: whether the observation answers a query.
  mutating func admits(
    _ observation: CoarseObservation, wasAsked: Bool, at now: BootInstant
  ) -> Bool {
    guard let position = observation.position else { return wasAsked }
    if !wasAsked, let last, now - last.at < Self.interval,
      Sphere.distance(last.position, position) < Self.distance
    {
      return false
    }
    last = (position, now)
    return true
  }
}
