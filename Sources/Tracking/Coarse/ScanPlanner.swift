import Core
import RadioSignals
import Records

/// Where an extra scan is worth its energy for learning access points: a scan costs 0.69 J, and
/// adds little at a place that was surveyed recently.
struct ScanPlanner: Sendable {
  /// The range of an access point.
  private static let apart: Metres = 75
  /// With this pause there are at most 24 scans in six hours, 17 J.
  private static let pause: Seconds = .minutes(15)
  private static let lasting: Seconds = .hours(6)
  private static let most = 32

  private var surveyed: [(position: Coordinate, at: BootInstant)] = []

  /// - Returns: whether to request a scan, which then counts as done.
  mutating func isWorthwhile(at location: Location, now: BootInstant) -> Bool {
    guard TrainingFix(location)?.isUsableForAccessPoints ?? false else { return false }
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
