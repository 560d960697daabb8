import Places
import Quantities
import Records
import Tracking

/// When the receiver has to look for letters and meetings that lie around: the sooner, the nearer
/// they are (Landsmann 2013, 3.4).
struct LetterSearch {
  /// A letter waits: who passes by within less is not worth more energy.
  private static let leastPause: Seconds = 60
  /// What would tell that the board leaves is relied on for so long.
  private static let watchedPause: Seconds = .hours(6)
  /// Locations alone have shown it at rest: for so much of that time it is taken to stay on. Each
  /// look from the same rest that has brought nothing makes the next pause half as long again.
  private static let stillShare = 0.5
  private static let stillPause: ClosedRange<Seconds> = 60...10_800
  /// Who was seen to go no faster goes on foot.
  private static let walk: MetresPerSecond = 2.5

  private var last: (location: Location, at: BootInstant)?

  mutating func located(_ location: Location, at now: BootInstant) { last = (location, now) }

  /// - Returns: nil where nothing is around.
  func look(
    among targets: [PlaceReach.Candidate], _ sighting: Sighting, at now: BootInstant
  ) -> PlaceReach.Look? {
    guard let last else { return nil }
    let seen = last.location.speed
    let speed = min(PossibleSpeed.after(seen), PossibleSpeed.most)
    var reach = PlaceReach(speed: speed, leastPause: Self.leastPause)
    if let seen, seen <= Self.walk { reach.slowSpeed = Self.walk }
    var isResting = false
    if case .resting(let since) = sighting.rest {
      isResting = true
      let still = min(
        max((now - since) * Self.stillShare, Self.stillPause.lowerBound),
        Self.stillPause.upperBound)
      reach.restPause = sighting.isWatched ? Self.watchedPause : still
    }
    return reach.look(after: last.location, at: last.at, isResting: isResting, among: targets)
  }
}
