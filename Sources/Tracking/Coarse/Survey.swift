import Core
import RadioSignals
import Records

/// Where it is worth an extra scan to learn what is heard: a scan costs 0.69 J, and at a place that
/// was surveyed lately it teaches little.
struct Survey: Sendable {
  /// An access point is heard so far.
  private static let apart: Metres = 75
  /// That makes 24 scans in six hours at most, 17 J.
  private static let pause: Seconds = .minutes(15)
  private static let lasting: Seconds = .hours(6)
  private static let most = 32

  private var surveyed: [(position: Coordinate, at: BootInstant)] = []

  /// - Returns: whether a scan is to be asked for; then it counts as done.
  mutating func isWorthwhile(at location: Location, now: BootInstant) -> Bool {
    guard TrainingFix(location)?.teachesAccessPoints ?? false else { return false }
    surveyed.removeAll { now - $0.at >= Self.lasting }
    if let last = surveyed.last, now - last.at < Self.pause { return false }
    guard
      !surveyed.contains(where: {
        Sphere.distance($0.position, location.position) < Self.apart
      })
    else { return false }
    surveyed.append((location.position, now))
    if surveyed.count > Self.most { surveyed.removeFirst() }
    return true
  }
}
