import Places
import Core
import Records
import Tracking

/// When the receiver has to look for letters and meetings that lie around: the sooner, the nearer
/// they are (Landsmann 2013, 3.4). Under way a letter of 20 m is passed within seconds, so that it
/// is looked for as a place with an alert is; at rest it waits.
struct LetterSearch {
  /// What would tell that the board leaves is relied on for so long.
  private static let watchedPause: Seconds = .hours(6)
  /// Locations alone have shown it at rest: for so much of that time it is taken to stay on. Each
  /// look from the same rest that has brought nothing makes the next pause half as long again.
  private static let stillShare = 0.5
  private static let stillPause: ClosedRange<Seconds> = 60...10_800

  private var last: (location: Location, at: BootInstant)?
  private var approach = FinalApproach()

  mutating func located(_ location: Location, at now: BootInstant) { last = (location, now) }

  /// - Returns: nil where nothing is around.
  mutating func look(
    among targets: [PlaceReach.Candidate], _ sighting: Sighting
  ) -> PlaceReach.Look? {
    guard let last else { return nil }
    var reach = PlaceReach(after: last.location.speed)
    var isResting = false
    if case .resting(let since) = sighting.rest {
      isResting = true
      let still = min(
        max((last.at - since) * Self.stillShare, Self.stillPause.lowerBound),
        Self.stillPause.upperBound)
      reach.restPause = sighting.isWatched ? Self.watchedPause : still
    }
    var look = reach.look(after: last.location, at: last.at, isResting: isResting, among: targets)
    let gaps = targets.lazy.map { $0.region.signedDistance(from: last.location.position) }
    let gap = isResting ? nil : gaps.filter { $0 > 0 }.min()
    if approach.goesOn(last.location, at: last.at, gap: gap) { look?.at = last.at }
    return look
  }
}
