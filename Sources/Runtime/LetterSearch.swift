import Places
import Core
import Records
import Tracking

/// Decides when the receiver has to fix because of letters and meetings nearby: the nearer, the
/// sooner (Landsmann 2013, 3.4). A moving board passes a letter of 20 m within seconds, so letters
/// are checked like places with an alert; at rest the next fix is delayed.
struct LetterSearch {
  /// How long a sensor that would report a departure is relied on.
  private static let watchedPause: Seconds = .hours(6)
  /// Where only locations show a rest, the board is expected to stay for this share of the rest so
  /// far. After each fruitless fix from the same rest the next pause is half as long again.
  private static let stillShare = 0.5
  private static let stillPause: ClosedRange<Seconds> = 60...10_800

  private var last: (location: Location, at: BootInstant)?
  private var approach = FinalApproach()

  mutating func located(_ location: Location, at now: BootInstant) { last = (location, now) }

  /// - Returns: nil if nothing is near.
  mutating func nextFix(
    among targets: [PlaceReach.Candidate], _ sighting: Sighting
  ) -> PlaceReach.FixRequest? {
    guard let last else { return nil }
    var reach = PlaceReach(after: last.location.speed)
    var isResting = false
    if case .resting(let since) = sighting.rest {
      isResting = true
      let still = min(
        max((last.at - since) * Self.stillShare, Self.stillPause.lowerBound),
        Self.stillPause.upperBound)
      reach.restPause = sighting.isMonitored ? Self.watchedPause : still
    }
    var request = reach.nextFix(
      after: last.location, at: last.at, isResting: isResting, among: targets)
    let gaps = targets.lazy.map { $0.region.signedDistance(from: last.location.position) }
    let gap = isResting ? nil : gaps.filter { $0 > 0 }.min()
    if approach.goesOn(last.location, at: last.at, gap: gap) { request?.at = last.at }
    return request
  }
}
