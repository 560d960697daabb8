import Core
import Records

/// Finds visits in a stream of locations, online, in one pass, in bounded memory.
///
/// Two hypotheses are weighed (`Presence`): the board rests here, or it has left. A stay becomes a
/// visit after the minimum dwell within the rest radius; from then on the wider leave radius
/// applies, and only a lasting absence ends it. The radii add to the location's own error, so that
/// one setting serves GNSS at 1 Hz and Wi-Fi every 20 minutes.
///
/// A gap is no movement. A board that is found in the same place after hours without locations has
/// stayed. Found elsewhere, it stayed for as long as the trip did not need, unless it was last seen
/// at vehicle speed: then nothing is known. Unobserved time shows in the bounds.
public struct VisitDetector: Sendable {
  private let rules: StayRules
  private var recent = RecentLocations(around: Coordinate(latitude: 0, longitude: 0))
  /// Nil until the first location.
  private var presence: Presence?
  private var visits: VisitLedger
  /// Since when a first location could have been taken.
  private var watchedSince: Int64?
  public init(settings: DwellSettings, nextID: Int64) {
    self.init(StayRules(settings), nextID: nextID)
  }

  private init(_ rules: StayRules, nextID: Int64) {
    self.rules = rules
    visits = VisitLedger(nextID: nextID)
  }

  // MARK: State

  /// The open visit, as far as it is known.
  public var open: Visit? {
    guard let id = openID, let stay = presence?.stay else { return nil }
    return visit(id, of: stay)
  }

  /// The id of the open visit.
  var openID: Int64? { visits.open?.id }

  /// The id that the next new visit gets.
  public var nextID: Int64 { visits.nextID }
  /// Whether any visit has been announced and not withdrawn.
  var hasFoundVisits: Bool { !visits.isEmpty }
  var latestTime: UTCInstant? { presence.map { UTCInstant(nanoseconds: $0.latest.time) } }

  private func visit(
    _ id: Int64, of stay: StayHypothesis, until departure: TimeEstimate? = nil,
    away: PlanarLocation? = nil
  ) -> Visit {
    stay.visit(id, until: departure, away: away, on: recent.plane, rules)
  }

  /// Whether there were only coarse locations so far.
  private var hasOnlyCoarse: Bool { recent.lastLocated == nil }

  private func centre(of stay: StayHypothesis) -> Coordinate {
    recent.plane.coordinate(
      LocalPlane.Point(east: Metres(stay.centre.x), north: Metres(stay.centre.y)))
  }

  // MARK: Observations

  /// The next location is the first of all, and could have been taken since then.
  mutating func watched(since time: UTCInstant) {
    if time.nanoseconds >= 0 { watchedSince = time.nanoseconds }
  }

  /// Handles the next location. One that is not later than the one before is ignored.
  /// - Parameter isAtRest: whether other evidence shows that the board is where it was.
  public mutating func observe(_ location: Location, isAtRest: Bool = false) -> [VisitChange] {
    guard let latest = presence?.latest.time, !isTaken(until: location.time) else {
      return restart(with: location)
    }
    let seen = recent.take(location)
    guard seen.time > latest else { return [] }
    if seen.isCoarse { recent.compare(coarse: seen) }
    if isAtRest, seen.isCoarse, recent.explainsCoarse { return [] }
    return take(seen, proof: nil)
  }

  /// - Parameter proof: evidence of rest since the location before; nil: there is none.
  private mutating func take(_ seen: PlanarLocation, proof: RestProof?) -> [VisitChange] {
    recent.remember(seen, rules)
    var changes: [VisitChange] = []
    if let proof { presence?.proveRest(proof, until: seen.time) }
    if presence?.addIfAtRest(seen, rules) == true {
      concludeFromRest(seen, into: &changes)
      return changes
    }
    if presence?.learnsNothing(from: seen, rules) == true { return [] }
    if presence?.hadGone(before: seen, rules) == true { moveOn(into: &changes) }
    switch presence?.weigh(seen, vehicle: recent.lastInVehicle, rules) {
    case .here: concludeFromRest(seen, into: &changes)
    case .gone: moveOn(into: &changes)
    case .undecided, nil: break
    }
    if RecentLocations.isFar(seen.x, seen.y) { recentre() }
    return changes
  }

  /// The board has come to rest unobserved, at most that far from its last location.
  mutating func arrived(_ arrival: UnseenArrival, within radius: Metres) -> [VisitChange] {
    let wasStationary = (recent.lastLocated?.speed ?? .nan) < PlanarLocation.standstillSpeed
    let changes = rested(until: UTCInstant(nanoseconds: arrival.time), within: radius)
    if arrival.isSensed || !wasStationary { presence?.came(arrival) }
    return changes
  }

  /// How it came to the rest whose place a location has just determined.
  mutating func came(_ arrival: UnseenArrival) { presence?.came(arrival) }

  /// The board has not moved from its last location until then, or no farther than `radius`. This
  /// does not apply to a location that is itself impossible.
  /// - Parameters:
  ///   - isMonitored: whether movement would have been detected.
  ///   - delay: how long before `time` it may have left undetected.
  mutating func rested(
    until time: UTCInstant, within radius: Metres, isMonitored: Bool = false, delay: Seconds = 0
  ) -> [VisitChange] {
    guard let latest = presence?.latest, time.nanoseconds > latest.time,
      !isTaken(until: time), var seen = recent.lastLocated, presence?.isImpossible(seen) != true
    else { return [] }
    seen.time = time.nanoseconds
    seen.speed = 0
    seen.isRepeated = true
    seen.sigma = max(seen.sigma, radius.value)
    seen.isAssumed = radius > 0
    // Earlier coarse locations that contradict this were wrong.
    if seen.isCoarse { recent.compare(coarse: seen) }
    let proof = RestProof(isMonitored: isMonitored, delay: delay.nanosecondsClamped)
    return take(seen, proof: radius == 0 ? proof : nil)
  }

  /// The stay was located only at the end of that time.
  mutating func lackedLocation(from start: UTCInstant, to end: UTCInstant) {
    presence?.stay.lackLocation(from: start.nanoseconds, to: end.nanoseconds)
  }

  /// Handles a location that is impossible if the board has rested until recently: it has left
  /// since it was last seen at its place. The observed part of the stay remains, if it was long
  /// enough.
  mutating func observe(refutingRest location: Location) -> [VisitChange] {
    guard let stay = presence?.stay, stay.proven > 0, presence?.absence == nil,
      !isTaken(until: location.time)
    else {
      return observe(location)
    }
    let seen = recent.take(location)
    let way = stay.distance(to: seen)
    let departure = rules.departure(fromUnseen: stay, foundAfter: way, at: seen.time)
    var changes: [VisitChange] = []
    if stay.isVisit, departure.estimate.nanoseconds - stay.arrival >= rules.dwell {
      end(stay, left: departure.estimate.nanoseconds, departure, into: &changes)
    }
    withdraw(into: &changes)
    recent.remember(seen, rules)
    presence = Presence(seen, after: stay.lastSight, vehicle: recent.lastInVehicle)
    if RecentLocations.isFar(seen.x, seen.y) { recentre() }
    return changes
  }

  /// Whether visits under another date lie between the last location and then: a stay across them
  /// would overlap them.
  private func isTaken(until time: UTCInstant) -> Bool {
    latestTime.map { visits.isTaken(after: $0, until: time) } ?? false
  }

  /// No earlier location belongs to the stay that begins.
  private mutating func restart(with location: Location) -> [VisitChange] {
    let changes = presence == nil ? [] : endStay()
    visits.closeLast()
    recent = RecentLocations(around: location.position)
    presence = nil
    guard !visits.isTaken(at: location.time) else { return changes }
    let seen = recent.take(location)
    recent.remember(seen, rules)
    presence = Presence(seen, vehicle: recent.lastInVehicle)
    if let since = watchedSince { presence?.stay.watched(since: since) }
    watchedSince = nil
    return changes
  }

  /// Keeps the plane's origin near, where it is accurate: all stored coordinates are shifted with
  /// it.
  private mutating func recentre() {
    guard let centre = presence?.stay.centre, RecentLocations.isFar(centre.x, centre.y)
    else { return }
    presence?.move(recent.recentre(onX: centre.x, y: centre.y))
  }

  /// Handles another location at the stay: makes it a visit, and reports it when due.
  private mutating func concludeFromRest(
    _ seen: PlanarLocation, into changes: inout [VisitChange]
  ) {
    guard presence?.confirmIfLong(seen, along: recent.path, rules) == true else { return }
    guard let announced = visits.open else { return announceIfLong(into: &changes) }
    // One update per doubling of the locations: a night at 1 Hz makes seven.
    if let stay = presence?.stay, stay.centre.locations >= 2 * announced.locations {
      changes.append(visits.update(visit(announced.id, of: stay)))
    }
  }

  /// The board has left: closes the stay and continues with the next one.
  private mutating func moveOn(into changes: inout [VisitChange]) {
    guard let left = presence?.moveOn() else { return }
    var stay = left.stay
    let departure = rules.departure(from: stay, left.absence)
    if stay.isVisit || departure - stay.first >= rules.dwell {
      if !stay.isVisit { stay.confirm(along: recent.path, rules) }
      end(
        stay, left: departure,
        rules.unseenDeparture(from: stay, left.absence)
          ?? stay.departure(departure, seenAway: left.absence.first, rules), left.absence,
        into: &changes)
    }
    withdraw(into: &changes)
    if presence?.confirmIfDwelt(along: recent.path, rules) == true {
      announceIfLong(into: &changes)
    }
  }

  // MARK: The end

  /// The end of the data, or of the daemon. An open visit stays open. A board that was last seen at
  /// rest, but for less than the minimum dwell, is announced with a low confidence; the visit is
  /// withdrawn if later data show that the board moved on.
  mutating func finish() -> [VisitChange] {
    var changes: [VisitChange] = []
    if let absence = presence?.absence, absence.locations > 1 { moveOn(into: &changes) }
    if let now = open {
      changes.append(visits.update(now))
    } else if var stay = presence?.stay {
      if !stay.isVisit { stay.refineArrival(along: recent.path, rules) }
      if isResting(stay) { announce(&stay, into: &changes) }
      presence?.stay = stay
    }
    return changes
  }

  /// Whether it was near the centre for a minute until it was last seen: a slow walker passes
  /// faster.
  private func isResting(_ stay: StayHypothesis) -> Bool {
    guard let newest = recent.path.newest else { return false }
    let radius = rules.rest / 2 + min(newest.sigma, rules.coarse)
    return stay.last - stay.arrival >= rules.silence / 2
      && stay.squaredDistance(to: newest) <= radius * radius
  }

  /// The rest of the stay is unknown. A visit ends at its last location.
  mutating func endStay() -> [VisitChange] {
    var changes: [VisitChange] = []
    if let stay = presence?.stay, stay.isVisit {
      end(
        stay, left: stay.core, stay.departure(stay.core, seenAway: stay.last, rules),
        into: &changes)
    }
    withdraw(into: &changes)
    return changes
  }

  /// The date was wrong, before or now: no stay spans both.
  mutating func restartForDate(with location: Location) -> [VisitChange] {
    let changes = endStay()
    visits.changeDate()
    presence = nil
    return changes + restart(with: location)
  }

  // MARK: Reporting

  private mutating func announceIfLong(into changes: inout [VisitChange]) {
    guard var stay = presence?.stay, hasOnlyCoarse || rules.isSeen(stay),
      stay.last - stay.arrival >= rules.shortestVisit(of: stay)
    else { return }
    announce(&stay, into: &changes)
    presence?.stay = stay
  }

  private mutating func announce(
    _ stay: inout StayHypothesis, into changes: inout [VisitChange]
  ) {
    guard visits.open == nil else { return }
    if let ended = visits.ended, continues(stay, ended) {
      stay.resume(from: ended, on: recent.plane)
      changes.append(visits.reopen(visit(ended.id, of: stay)))
    } else {
      changes.append(visits.begin(visit(nextID, of: stay)))
    }
  }

  /// Whether the stay continues the visit that has just ended.
  private func continues(_ stay: StayHypothesis, _ ended: Visit) -> Bool {
    guard let left = visits.endedAt ?? ended.departure?.estimate,
      stay.arrival - left.nanoseconds <= rules.merge
    else { return false }
    let point = recent.plane.point(visits.endedCentre ?? ended.position)
    let radius = rules.rest + stay.bestSigma
    let there = PlanarLocation(time: 0, x: point.east.value, y: point.north.value)
    return stay.squaredDistance(to: there) <= radius * radius
  }

  /// Ends the stay: as a visit, if it qualifies.
  /// - Parameters:
  ///   - time: when it was last near the centre, or later.
  ///   - departure: when it set off.
  private mutating func end(
    _ stay: StayHypothesis, left time: Int64, _ departure: TimeEstimate, _ gone: Absence? = nil,
    into changes: inout [VisitChange]
  ) {
    guard hasOnlyCoarse || rules.isSeen(stay), rules.isVisit(stay, until: time, gone)
    else { return }
    var stay = stay
    announce(&stay, into: &changes)
    guard let id = visits.open?.id else { return }
    changes.append(
      visits.end(
        visit(id, of: stay, until: departure, away: gone?.firstAway), at: centre(of: stay),
        time: UTCInstant(nanoseconds: time)))
  }

  private mutating func withdraw(into changes: inout [VisitChange]) {
    if let change = visits.withdraw() { changes.append(change) }
  }
}

// MARK: Over a restart

extension VisitDetector {
  /// All that is needed to continue after a restart, also in the middle of a visit.
  static let fields = SnapshotFields<VisitDetector>(
    [VisitLedger.nextIDField.of(\.visits), RecentLocations.originField.of(\.recent)]
      + [.members(\.presence, onto: .blank, Presence.fields)]
      + RecentLocations.fields.map { $0.of(\.needed) }
      + VisitLedger.fields.map { $0.of(\.visits) })

  /// Recent locations without those that no later location needs: they are written with every
  /// commit.
  private var needed: RecentLocations {
    get {
      var recent = recent
      if let presence { recent.forgetPath(before: presence.pathBegin) }
      return recent
    }
    set { recent = newValue }
  }

  var snapshot: JSONValue { Self.fields.snapshot(of: self) }

  /// Continues from a snapshot. A damaged one leaves a new detector.
  mutating func restore(_ snapshot: JSONValue) {
    self = Self.fields.restored(snapshot, onto: self) ?? self
  }

  /// Continues in a store whose ids differ from this run's.
  mutating func renumber(by shift: Renumbering) { visits.renumber(by: shift) }
}
