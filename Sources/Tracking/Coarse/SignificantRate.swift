import Core
import Records

/// How often a source that tells locations without being asked is listened to: as SLU does, once in
/// 300 s, and at once when 500 m were covered (section 2.2 of Stylianou's paper).
struct SignificantRate: Sendable {
  private static let interval: Seconds = 300
  private static let distance: Metres = 500

  private var last: (position: Coordinate, at: BootInstant)?

  /// - Parameter wasAsked: whether somebody waits for it.
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
