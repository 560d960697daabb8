import Core
import Records

/// How soon the board could cross the edge of a place, so that nobody looks before.
///
/// Dias 2011, section 4.5, divides the distance to the nearest alert's edge by the present speed,
/// too. Here the speed is one that is credible for the time to come, not that of the moment, and
/// the error of the position counts against the distance; a margin is then not needed.
public struct PlaceReach: Sendable {
  /// A place whose presence could change.
  public struct Candidate: Sendable {
    public var region: PlaceRegion
    /// Of the place itself, when it follows a device.
    public var speed: MetresPerSecond
    /// What a location has to be in any case to tell of this one; nil: as the region needs.
    public var accuracy: Metres?

    public init(
      _ region: PlaceRegion, speed: MetresPerSecond = 0, accuracy: Metres? = nil
    ) {
      self.region = region
      self.speed = speed
      self.accuracy = accuracy
    }
  }

  /// When to look, and how well.
  public struct Look: Hashable, Sendable {
    /// The earliest moment at which a presence could change.
    public var at: BootInstant
    /// What a location has to be then to tell, 68 %: of all that could have changed by then.
    public var accuracy: Metres
    /// To the nearest edge that decides, without the error of the position.
    public var distance: Metres
    /// The candidate's number; nil: none is near, but what is known of places ends there.
    public var index: Int?
  }

  /// A location whose accuracy is half of a place's radius tells inside from outside: at the centre
  /// it is inside with 0.99, by the Rayleigh distribution.
  private static let share = 0.5
  /// No receiver is asked for better, and none has to be asked for worse.
  private static let accuracies: ClosedRange<Metres> = 5...100

  /// The fastest that the board can be expected to go on.
  public var speed: MetresPerSecond
  /// Who goes slowly goes no faster than this at first; nil: as fast as `speed` at once.
  public var slowSpeed: MetresPerSecond?
  /// For so long: it takes as long to get on a bicycle, or into a car.
  public static let slowTime: Seconds = 60
  /// The shortest pause between two looks.
  public var leastPause: Seconds
  /// How long evidence of rest is relied on without a look.
  public var restPause: Seconds

  /// Who was seen to go no faster goes on foot.
  private static let walk: MetresPerSecond = 2.5
  /// Runners, and errors of the measured speed.
  private static let haste: MetresPerSecond = 4

  /// - Parameter seen: how fast the board was when it was located last; nil: not known.
  public init(after seen: MetresPerSecond?) {
    self.init(speed: min(PossibleSpeed.after(seen), PossibleSpeed.most))
    if let seen, seen <= Self.walk { slowSpeed = Self.haste }
  }

  /// - Parameter speed: more than 0.
  public init(speed: MetresPerSecond, leastPause: Seconds = 20, restPause: Seconds = 1800) {
    self.speed = speed
    self.leastPause = leastPause
    self.restPause = restPause
  }

  /// From a location until its edge could be reached, from within as from outside.
  /// - Returns: infinite where neither the board nor the place moves.
  public func time(
    to candidate: Candidate, from location: Location, isResting: Bool = false
  ) -> Seconds {
    time(
      over: distance(to: candidate, from: location) - location.accuracy, to: candidate,
      isResting: isResting)
  }

  /// - Parameter gap: what is certainly between a location and the edge.
  private func time(over gap: Metres, to candidate: Candidate, isResting: Bool) -> Seconds {
    let gap = max(0, gap)
    let closing = candidate.speed + (isResting ? 0 : speed)
    guard closing > 0 else { return Seconds(.infinity) }
    guard !isResting, let slowSpeed else { return gap / closing }
    let slow = candidate.speed + slowSpeed
    let way = slow * Self.slowTime
    return gap <= way ? gap / slow : Self.slowTime + (gap - way) / closing
  }

  /// To the edge.
  private func distance(to candidate: Candidate, from location: Location) -> Metres {
    candidate.region.signedDistance(from: location.position).magnitude
  }

  /// The earliest moment at which any presence could change; nil without candidates.
  /// - Parameters:
  ///   - now: when the location was taken.
  ///   - isResting: whether something watches that the board rests. It is looked at again after
  ///     `restPause` all the same.
  public func look(
    after location: Location, at now: BootInstant, isResting: Bool = false,
    among candidates: [Candidate]
  ) -> Look? {
    let distances = candidates.map { distance(to: $0, from: location) }
    let times = zip(candidates, distances).map { candidate, distance in
      let gap = distance - location.accuracy
      let moving = time(over: gap, to: candidate, isResting: false)
      guard isResting else { return moving }
      return min(time(over: gap, to: candidate, isResting: true), max(moving, restPause))
    }
    guard let first = times.indices.min(by: { times[$0] < times[$1] }) else { return nil }
    let pause = max(times[first], leastPause)
    let due = times.indices.filter { times[$0] <= pause }
    let accuracies = due.map { Self.accuracy(for: candidates[$0]) }
    return Look(
      at: now + pause, accuracy: accuracies.min() ?? Self.accuracy(for: candidates[first]),
      distance: distances[first], index: first)
  }

  private static func accuracy(for candidate: Candidate) -> Metres {
    let wanted = min(candidate.region.size * share, candidate.accuracy ?? Metres(.infinity))
    return min(max(wanted, accuracies.lowerBound), accuracies.upperBound)
  }
}
