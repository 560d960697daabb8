import Core
import Records

/// The board's position as far as GNSS locations show it: the last one, the place where it has been
/// since or for longer, and how far from there it may be by now.
struct KnownPosition: Sendable {
  /// The assumed speed after leaving a place that was not monitored: that of a country road.
  private static let onward: MetresPerSecond = 16
  /// The time from behind a wall to the road.
  private static let leaving: Seconds = 20
  /// A coarse location with a larger error does not show that the board is still here.
  private static let district: Metres = 150
  /// A position with a larger error is too vague for a rest.
  private static let vicinity: Metres = 500

  /// The last location.
  private(set) var last: (location: Location, at: BootInstant)?
  /// The place where it has been located for some time, or since it came to rest.
  private(set) var spot: (location: Location, since: BootInstant)?
  /// The recent speed while moving.
  private(set) var speed: MetresPerSecond = 0
  /// How long it was at the place that it has left unobserved according to a scan; nil: it has not.
  private var leftByScan: BootInstant?

  // MARK: Distances

  /// Whether a coarse location shows that the board is still at its spot.
  func isAtSpot(_ coarse: Location) -> Bool {
    guard let spot, coarse.accuracy <= Self.district else { return false }
    return !coarse.isElsewhere(than: spot.location)
  }

  /// A rest concluded only from a lost signal may have been a ride. Then the whole distance was
  /// covered faster than on foot. For a rest with a location, `VisitDetector` determines the
  /// departure.
  func isRefuted(
    _ rest: RestRecord, since: BootInstant, by location: Location, at now: BootInstant
  ) -> Bool {
    guard !rest.isLocated, let last, let restedUntil = rest.until else { return false }
    let way = location.distance(from: last.location)
    if way < rest.maxDistanceWithoutSignal(since: since, at: now) { return false }
    let onItsWay = max(0, now - restedUntil - Self.leaving)
    let possible = max(speed, Self.onward) * onItsWay + location.accuracy
    return way > possible + last.location.accuracy
  }

  /// The place of a rest since then; nil: its error is too large to be useful.
  /// - Parameter isLocated: whether a location was taken during the rest.
  func place(ofRestSince rest: BootInstant, isLocated: Bool) -> Location? {
    guard var place = last?.location else { return nil }
    if !isLocated { place.accuracy = max(place.accuracy, reach(until: rest)) }
    return place.accuracy <= Self.vicinity ? place : nil
  }

  /// The maximum distance from the last location.
  func reach(until instant: BootInstant) -> Metres {
    guard let last else { return 1000 }
    return min(max(30, speed * max(instant - last.at, 0)), 2000)
  }

  /// The estimated moment of losing the signal: between the last location and `since`.
  func arrival(before since: BootInstant) -> BootInstant {
    guard let seen = leftByScan ?? last?.at else { return since }
    return seen + (since - seen) * 0.5
  }

  // MARK: Changes

  /// To be called before `located`: the speed depends on the location before.
  mutating func updateSpeed(from location: Location, at now: BootInstant) {
    speed = max(location.speed(since: last, at: now), speed * 0.5)
  }

  mutating func stop() { speed = 0 }

  mutating func located(_ location: Location, at now: BootInstant) {
    last = (location, now)
    leftByScan = nil
  }

  mutating func beginSpot(at location: Location, since now: BootInstant) { spot = (location, now) }

  /// The most accurate location at a spot stands for it.
  mutating func refineSpot(with location: Location) {
    guard let spot, location.accuracy < spot.location.accuracy else { return }
    self.spot = (location, spot.since)
  }

  /// A scan has shown that the board left after that moment.
  mutating func leftUnobserved(after lastHere: BootInstant) { leftByScan = lastHere }

  /// Forgets the place if it was left unobserved. Returns whether it was.
  mutating func forgetIfLeft() -> Bool {
    guard leftByScan != nil else { return false }
    last = nil
    spot = nil
    leftByScan = nil
    return true
  }
}
