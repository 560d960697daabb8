import Core
import Records

/// When the board has to be looked for next because of the places around it.
struct NextCheckSchedule: Sendable {
  /// What is known of the board.
  struct Sight {
    let last: Location
    let at: BootInstant
    let window: PlaceWindow
    /// Something else than locations would tell if it left.
    let restingSince: BootInstant?
    /// Locations show that it stays.
    let stillSince: BootInstant?
    /// Whether it has not moved since it was located.
    let isStillThere: Bool

    var isResting: Bool { restingSince != nil || stillSince != nil }
  }

  /// At the edge of what is known a rough location does.
  private static let edgeAccuracy: Metres = 100
  /// How many of the nearest places are compared.
  private static let most = 8
  /// For so much of the time that locations have shown it at rest the board is taken to stay on,
  /// but no longer than that: a departure is noticed as late.
  private static let stillShare = 0.25
  private static let stillPause: ClosedRange<Seconds> = 20...600

  private var dark = NoSignalPause()
  private var approach = FinalApproach()

  mutating func searchFailed(at now: BootInstant) { dark.searchFailed(at: now) }

  /// It was located, or moves: another sky.
  mutating func skyChanged() { dark.end() }

  /// - Parameter watched: their distances are measured as far as it takes.
  /// - Returns: nil where nobody wants to be told of any place around.
  mutating func next(
    _ sight: Sight, _ watched: inout [WatchedPlace], at now: BootInstant, _ date: UTCInstant?
  ) -> PlaceReach.Look? {
    let reach = Self.reach(sight, at: now)
    var near = reach.look(
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
    if let at = first?.at, let pause = dark.until(isWatched: sight.restingSince != nil) {
      first?.at = max(at, pause)
    }
    // The number is that of a list that nobody sees.
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

  /// Beyond the window there may be a place right behind its edge.
  private static func end(of sight: Sight, _ reach: PlaceReach) -> PlaceReach.Look? {
    guard !sight.window.isWidest else { return nil }
    let edge = max(sight.window.depth(of: sight.last.position) - sight.last.accuracy, 0)
    let pause = max(edge / reach.speed, reach.leastPause)
    return PlaceReach.Look(
      at: sight.at + (sight.isResting ? max(pause, reach.restPause) : pause),
      accuracy: edgeAccuracy, distance: edge, index: nil)
  }

  /// When the board could first be in a place that is closed yet.
  private static func firstOpening(
    _ sight: Sight, _ watched: inout [WatchedPlace], _ reach: PlaceReach, at now: BootInstant,
    _ date: UTCInstant?
  ) -> PlaceReach.Look? {
    // What rests where it was located is judged by that when the place opens.
    guard let date, !sight.isStillThere else { return nil }
    var first: PlaceReach.Look?
    for index in watched.indices where watched[index].wanted != nil {
      guard let from = watched[index].opensNext, from > date else { continue }
      let begins = now + (from - date)
      guard begins < first?.at ?? BootInstant(nanoseconds: .max) else { continue }
      let distance = watched[index].distance(from: sight.last)
      guard distance.isFinite else { continue }
      let gap = max(distance - sight.last.accuracy, 0)
      let at = max(begins, sight.at + gap / reach.speed)
      guard at < first?.at ?? BootInstant(nanoseconds: .max) else { continue }
      first = PlaceReach.Look(at: at, accuracy: edgeAccuracy, distance: distance, index: nil)
    }
    return first
  }

  /// The nearest places, and those that come by themselves.
  private static func nearCandidates(
    _ sight: Sight, _ watched: inout [WatchedPlace], at now: BootInstant
  ) -> [PlaceReach.Candidate] {
    var nearest = NearestPlaces(most)
    for index in watched.indices where watched[index].isWanted {
      nearest.consider(index, atLeast: watched[index].distanceAtLeast)
    }
    // What is near at least may be far: measured until nothing nearer can come.
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

  /// To the nearest edge of those that the board is not in, as far as they were measured.
  private static func gapAhead(_ watched: [WatchedPlace]) -> Metres? {
    watched.lazy.filter { $0.isWanted && $0.state != .inside }.map(\.distanceAtLeast).min()
  }
}
