import Core
import Records

/// What coarse locations tell: at rest they lie at the same few places, those of the towers and the
/// access points around, which is no news; one at a place that was never told there is.
struct CoarseWatch: Sendable {
  /// Of one rest.
  private static let maxTold = 16
  /// What lies nearer to each other is one place. Towers stand farther apart.
  private static let apart: Metres = 300

  private var alarm = AlarmRecord()
  private var latest: Location?
  private var toldHere: [Location] = []

  /// - Returns: whether it calls for a look.
  mutating func located(
    _ location: Location, isResting: Bool, at now: BootInstant
  ) -> Bool {
    latest = location
    guard !toldHere.contains(where: { location.distance(from: $0) < Self.apart })
    else { return false }
    // The first at a place has nothing to be compared with.
    let isNews = isResting && !toldHere.isEmpty
    toldHere.append(location)
    if toldHere.count > Self.maxTold { toldHere.removeFirst() }
    return isNews && alarm.call(at: now)
  }

  mutating func moved() {
    alarm.moved()
    toldHere = latest.map { [$0] } ?? []
  }

  mutating func stayed(at now: BootInstant) { alarm.stayed(at: now) }
}
