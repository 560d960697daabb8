import Core
import Records

/// How soon the board could cross the edge of a place: no fix is needed earlier.
///
/// Dias 2011, section 4.5, divides the distance to the nearest alert's edge by the present speed,
/// too. This type uses a speed that is plausible for the time ahead, not the momentary one, and
/// subtracts the position error from the distance; that makes a margin unnecessary.
public struct PlaceReach: Sendable {
  /// A place whose presence could change.
  public struct Candidate: Sendable {
    public var region: PlaceRegion
    /// The speed of the place itself, if it follows a device.
    var speed: MetresPerSecond
    /// The accuracy that a location for this place always needs; nil: as the region requires.
    var accuracy: Metres?

    public init(
      _ region: PlaceRegion, speed: MetresPerSecond = 0, accuracy: Metres? = nil
    ) {
      self.region = region
      self.speed = speed
      self.accuracy = accuracy
    }
  }

  /// A request for a fix: when, and how accurate.
  public struct FixRequest: Hashable, Sendable {
    /// The earliest moment at which a presence could change.
    public var at: BootInstant
    /// The accuracy required then, 68 %, for all presences that could have changed.
    public var accuracy: Metres
    /// The distance to the nearest relevant edge, without the position error.
    var distance: Metres
    /// The candidate's index; nil: there is none near, but the known places end there.
    var index: Int?
  }

  /// A location with an accuracy of half a place's radius distinguishes inside from outside: at the
  /// centre it is inside with 0.99, by the Rayleigh distribution.
  private static let share = 0.5
  /// The range of requested accuracies.
  private static let accuracies: ClosedRange<Metres> = 5...100

  /// The highest speed to be expected.
  var speed: MetresPerSecond
  /// The speed limit at first for a slow board; nil: `speed` applies at once.
  var slowSpeed: MetresPerSecond?
  /// How long `slowSpeed` applies: it takes as long to get on a bicycle, or into a car.
  static let slowTime: Seconds = 60
  /// The shortest pause between two fix attempts.
  var leastPause: Seconds
  /// How long evidence of rest is relied on without a fix.
  public var restPause: Seconds

  /// Up to this speed the board is assumed to be on foot.
  private static let walk: MetresPerSecond = 2.5
  /// Runners, and errors of the measured speed.
  private static let haste: MetresPerSecond = 4

  /// - Parameter seen: the speed at the last location; nil: unknown.
  public init(after seen: MetresPerSecond?) {
    self.init(speed: min(PossibleSpeed.after(seen), PossibleSpeed.most))
    if let seen, seen <= Self.walk { slowSpeed = Self.haste }
  }

  /// - Parameter speed: more than 0.
  init(speed: MetresPerSecond, leastPause: Seconds = 20, restPause: Seconds = 1800) {
    self.speed = speed
    self.leastPause = leastPause
    self.restPause = restPause
  }

  /// The time until the edge could be reached from a location, from inside or outside.
  /// - Returns: infinity where neither the board nor the place moves.
  func time(
    to candidate: Candidate, from location: Location, isResting: Bool = false
  ) -> Seconds {
    time(
      over: distance(to: candidate, from: location) - location.accuracy, to: candidate,
      isResting: isResting)
  }

  /// - Parameter gap: the minimum distance between the location and the edge.
  private func time(over gap: Metres, to candidate: Candidate, isResting: Bool) -> Seconds {
    let gap = max(0, gap)
    let closing = candidate.speed + (isResting ? 0 : speed)
    guard closing > 0 else { return Seconds(.infinity) }
    guard !isResting, let slowSpeed else { return gap / closing }
    let slow = candidate.speed + slowSpeed
    let way = slow * Self.slowTime
    return gap <= way ? gap / slow : Self.slowTime + (gap - way) / closing
  }

  /// The distance to the edge.
  private func distance(to candidate: Candidate, from location: Location) -> Metres {
    candidate.region.signedDistance(from: location.position).magnitude
  }

  /// The earliest moment at which any presence could change; nil without candidates.
  /// - Parameters:
  ///   - now: when the location was taken.
  ///   - isResting: whether a source confirms that the board rests. A fix is requested after
  ///     `restPause` all the same.
  public func nextFix(
    after location: Location, at now: BootInstant, isResting: Bool = false,
    among candidates: [Candidate]
  ) -> FixRequest? {
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
    return FixRequest(
      at: now + pause, accuracy: accuracies.min() ?? Self.accuracy(for: candidates[first]),
      distance: distances[first], index: first)
  }

  private static func accuracy(for candidate: Candidate) -> Metres {
    let wanted = min(candidate.region.size * share, candidate.accuracy ?? Metres(.infinity))
    return min(max(wanted, accuracies.lowerBound), accuracies.upperBound)
  }
}
