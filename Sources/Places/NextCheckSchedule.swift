import Core
import Records

/// When the next fix is needed because of the places around the board.
struct NextCheckSchedule: Sendable {
  /// The state of the board.
  struct Sight {
    let last: Location
    let at: BootInstant
    let window: PlaceWindow
    /// Set while evidence other than locations would show a departure.
    let restingSince: BootInstant?
    /// Set while locations show that the board stays.
    let stillSince: BootInstant?
    /// Whether it has not moved since its last location.
    let isStillThere: Bool

    var isResting: Bool { restingSince != nil || stillSince != nil }
  }

  /// At the edge of the window a rough location is sufficient.
  private static let edgeAccuracy: Metres = 100
  /// The number of nearest places that are compared.
  private static let most = 8
  /// The pause as a share of the time for which locations have shown rest: a departure is noticed
  /// with a delay of that share.
  private static let stillShare = 0.25
  private static let stillPause: ClosedRange<Seconds> = 20...600

  private var noSignalPause = NoSignalPause()
  private var approach = FinalApproach()

  mutating func searchFailed(at now: BootInstant) { noSignalPause.searchFailed(at: now) }

  /// The board was located or moves: reception may be different.
  mutating func receptionChanged() { noSignalPause.end() }

  /// - Parameter watched: their distances are measured as far as necessary.
  /// - Returns: nil without an interest in any place around.
  mutating func next(
    _ sight: Sight, _ watched: inout [WatchedPlace], at now: BootInstant, _ date: UTCInstant?
  ) -> PlaceReach.FixRequest? {
    let reach = Self.reach(sight, at: now)
    var near = reach.nextFix(
      after: sight.last, at: sight.at, isResting: sight.isResting,
      among: Self.nearCandidates(sight, &watched, at: now))
    let gap = sight.isResting ? nil : Self.gapAhead(watched)
    if approach.goesOn(sight.last, at: sight.at, gap: gap)
      || watched.contains(where: { $0.isWanted && $0.isDoubted(by: sight.last) })
    {
      near?.at = sight.at
    }
    let looks = [
      near, Self.end(of: sight, reach), Self.firstOpening(sight, &watched, reach, at: now, date),
    ]
    var first = looks.compactMap { $0 }.min { $0.at < $1.at }
    if let at = first?.at, let pause = noSignalPause.until(isWatched: sight.restingSince != nil) {
      first?.at = max(at, pause)
    }
    // The index refers to an internal list.
    first?.index = nil
    return first
  }

  private static func reach(_ sight: Sight, at now: BootInstant) -> PlaceReach {
    var reach = PlaceReach(after: sight.last.speed)
    if sight.restingSince == nil, let stillSince = sight.stillSince {
      let pause = (now - stillSince) * stillShare
      reach.restPause = min(max(pause, stillPause.lowerBound), stillPause.upperBound)
    }
    return reach
  }

  /// There may be a place right behind the edge of the window.
  private static func end(of sight: Sight, _ reach: PlaceReach) -> PlaceReach.FixRequest? {
    guard !sight.window.isWidest else { return nil }
    let edge = max(sight.window.depth(of: sight.last.position) - sight.last.accuracy, 0)
    let pause = max(edge / reach.speed, reach.leastPause)
    return PlaceReach.FixRequest(
      at: sight.at + (sight.isResting ? max(pause, reach.restPause) : pause),
      accuracy: edgeAccuracy, distance: edge, index: nil)
  }

  /// When the board could first be in a place that is still closed.
  private static func firstOpening(
    _ sight: Sight, _ watched: inout [WatchedPlace], _ reach: PlaceReach, at now: BootInstant,
    _ date: UTCInstant?
  ) -> PlaceReach.FixRequest? {
    // For a board at rest the last location decides when the place opens.
    guard let date, !sight.isStillThere else { return nil }
    var first: PlaceReach.FixRequest?
    for index in watched.indices where watched[index].wanted != nil {
      guard let from = watched[index].opensNext, from > date else { continue }
      let begins = now + (from - date)
      guard begins < first?.at ?? BootInstant(nanoseconds: .max) else { continue }
      let distance = watched[index].distance(from: sight.last)
      guard distance.isFinite else { continue }
      let gap = max(distance - sight.last.accuracy, 0)
      let at = max(begins, sight.at + gap / reach.speed)
      guard at < first?.at ?? BootInstant(nanoseconds: .max) else { continue }
      first = PlaceReach.FixRequest(at: at, accuracy: edgeAccuracy, distance: distance, index: nil)
    }
    return first
  }

  /// The nearest places, and those that move.
  private static func nearCandidates(
    _ sight: Sight, _ watched: inout [WatchedPlace], at now: BootInstant
  ) -> [PlaceReach.Candidate] {
    var nearest = NearestPlaces(most)
    for index in watched.indices where watched[index].isWanted {
      nearest.consider(index, atLeast: watched[index].distanceAtLeast)
    }
    // The bounds may be far below the distances: measures until no place can be nearer.
    let presumed = nearest
    nearest = NearestPlaces(most)
    for index in presumed.indices {
      nearest.consider(index, atLeast: watched[index].distance(from: sight.last))
    }
    for index in watched.indices
    where watched[index].isWanted && watched[index].distanceAtLeast < nearest.limit
      && !presumed.indices.contains(index)
    {
      nearest.consider(index, atLeast: watched[index].distance(from: sight.last))
    }
    let moving = watched.indices.filter { watched[$0].isWanted && watched[$0].speed(at: now) > 0 }
    let indices = nearest.indices + moving
    return indices.compactMap { watched[$0].candidate(at: now) }
  }

  /// The distance to the nearest measured edge of a place that the board is outside of.
  private static func gapAhead(_ watched: [WatchedPlace]) -> Metres? {
    watched.lazy.filter { $0.isWanted && $0.state != .inside }.map(\.distanceAtLeast).min()
  }
}
