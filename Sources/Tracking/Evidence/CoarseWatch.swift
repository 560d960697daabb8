import Core
import Records

/// Coarse locations as evidence: at rest they lie at the same few places, those of the towers and
/// access points around; one at a new place is an alarm.
struct CoarseWatch: Sendable {
  /// Per rest.
  private static let maxKnown = 16
  /// Locations nearer to each other count as one place. Towers stand farther apart.
  private static let apart: Metres = 300

  private var alarm = AlarmRecord()
  private var latest: Location?
  private var knownHere: [Location] = []

  /// - Returns: whether a fix attempt is needed.
  mutating func located(
    _ location: Location, isResting: Bool, at now: BootInstant
  ) -> Bool {
    latest = location
    guard !knownHere.contains(where: { location.distance(from: $0) < Self.apart })
    else { return false }
    // The first location at a place has nothing to be compared with.
    let isNews = isResting && !knownHere.isEmpty
    knownHere.append(location)
    if knownHere.count > Self.maxKnown { knownHere.removeFirst() }
    return isNews && alarm.raise(at: now)
  }

  mutating func moved() {
    alarm.moved()
    knownHere = latest.map { [$0] } ?? []
  }

  mutating func stayed(at now: BootInstant) { alarm.stayed(at: now) }
}
