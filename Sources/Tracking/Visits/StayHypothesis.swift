import Core
import Records

/// Evidence other than locations that the board has not moved for some time.
struct RestProof: Sendable {
  /// Whether movement would have been detected: by a motion sensor, or by a network that the board
  /// would have left. A signal that stays lost is weaker evidence.
  let isMonitored: Bool
  /// How long before the end of that time the board may have left undetected, in nanoseconds.
  let delay: Int64
}

/// The hypothesis that the board rests at one place, with all evidence for it. Times are
/// nanoseconds of UTC, speeds are metres per second (NaN: unknown).
struct StayHypothesis: Hashable, Sendable {
  private(set) var centre: StayCentre
  /// First and last location within reach of the place; `core`: the last one close to its centre.
  private(set) var first: Int64
  private(set) var last: Int64
  private(set) var core: Int64
  /// The maximum distance from the centre at `core`, including the location's error.
  private var coreReach: Double
  private(set) var lastSpeed: Double
  /// Long enough to be a visit; `arrival` is then the final estimate.
  private(set) var isVisit = false
  private(set) var arrival: Int64
  /// Whether it was seen at vehicle speed at the edge of the place.
  private(set) var leftByVehicle = false
  /// The last location before `first`; `arrivalEarliest` is the last one known to be elsewhere.
  private var before: PlanarLocation?
  private var arrivalEarliest: Int64
  /// Where it was last observed while still moving: by when it had come to rest; else nil.
  private var cameBy: Int64?
  /// When a sensor last detected movement before it came to rest; else nil.
  private var cameAfter: Int64?
  /// The arrival of the visit that this stay continues; nil: it is a new one.
  private var resumedArrival: TimeEstimate?
  /// How long evidence other than locations has shown rest here, in nanoseconds.
  private(set) var proven: Int64 = 0
  /// The part of `proven` in which movement would have been detected, in nanoseconds.
  private(set) var watched: Int64 = 0
  private var provenUntil = Int64.min
  /// The last location here, not counting proven rest.
  private(set) var seenUntil: Int64
  /// How long it was seen standing, by closely spaced locations, in nanoseconds.
  private(set) var stationaryTime: Int64 = 0
  private var sightings = StayObservations()
  /// The maximum spacing of such locations, too short for leaving and coming back, in nanoseconds.
  private static let dense: Int64 = 20_000_000_000
  /// So slowly that it cannot be told from a standstill a board moves for at most this long before
  /// it stops, or after it has set off, in nanoseconds.
  private static let creeping: Int64 = 12_000_000_000
  /// Longer than the last steps to a place, in nanoseconds.
  private static let prompt: Int64 = 60_000_000_000
  /// The last location at vehicle speed before it came here.
  private(set) var vehicleBefore: PlanarLocation?
  private var place: StayPlace

  init(_ seen: PlanarLocation, before: PlanarLocation?, vehicle: PlanarLocation?) {
    centre = StayCentre(seen)
    first = seen.time
    last = seen.time
    core = seen.time
    coreReach = seen.sigma
    lastSpeed = seen.speed
    arrival = seen.time
    seenUntil = seen.time
    self.before = before
    arrivalEarliest = before?.time ?? seen.time
    vehicleBefore = vehicle
    place = StayPlace(seen, before: before)
    sightings.see(seen)
  }

  /// Whether it was seen elsewhere before.
  var hasComeThere: Bool { before != nil }

  /// Whether it came in a vehicle: there was no time to walk from the vehicle to this place; or
  /// there was no location on foot between them, and it was faster than on foot or other evidence
  /// shows when it came to rest.
  func cameInVehicle(_ rules: StayRules) -> Bool {
    guard let vehicle = vehicleBefore else { return false }
    guard arrival - vehicle.time >= Self.dense else { return true }
    guard vehicle.time >= before?.time ?? .min else { return false }
    if proven > 0 { return true }
    return !rules.isUnwatched(from: vehicle.time, to: arrival)
      && distance(to: vehicle) > 2 * rules.walking * Double(arrival - vehicle.time) / 1e9
  }

  /// The last location here, with its time.
  var lastSight: PlanarLocation {
    PlanarLocation(time: seenUntil, x: centre.x, y: centre.y, sigma: bestSigma)
  }

  /// The last location in motion before a rest without a location, which is no visit yet.
  var unlocatedApproach: PlanarLocation? { isVisit ? nil : place.unlocatedApproach }

  /// Whether the newest information is a location that leaves no doubt.
  var isSeen: Bool { last == seenUntil && last == sightings.last }

  /// Whether its recent presence was only inferred, and a departure would not have been detected.
  var isUnseen: Bool {
    let unseen = last - seenUntil
    return unseen > 0 && watched < unseen / 2
  }

  var firstSigma: Double { centre.firstSigma }
  var bestSigma: Double { centre.bestSigma }

  func squaredDistance(to seen: PlanarLocation) -> Double {
    let dx = seen.x - centre.x
    let dy = seen.y - centre.y
    return dx * dx + dy * dy
  }

  func distance(to seen: PlanarLocation) -> Double { squaredDistance(to: seen).squareRoot() }

  // MARK: Observations

  /// Seen again within reach.
  /// - Parameter isInCore: whether it was close to the centre.
  mutating func add(_ seen: PlanarLocation, isInCore: Bool = false, _ rules: StayRules) {
    let isWalking = seen.speed >= PlanarLocation.standstillSpeed
    // Where rest was proved, a board that walks off no longer improves the centre.
    if !isWalking || proven == 0 { centre.add(seen) }
    place.see(
      seen, isNear: isNear(seen, rules), isLeaving: !isInCore || isRiding(seen, rules))
    if seen.speed < PlanarLocation.standstillSpeed, seen.time - last <= Self.dense {
      stationaryTime += seen.time - last
    }
    if !seen.isAssumed { sightings.addGap(from: max(last, provenUntil), to: seen.time) }
    last = seen.time
    lastSpeed = seen.speed
    if seen.time > provenUntil, !seen.isAssumed { seenUntil = seen.time }
  }

  /// It rested, but was located only at the end of that time.
  mutating func lackLocation(from start: Int64, to end: Int64) {
    sightings.addUnlocatedTime(from: start, to: end)
  }

  /// Proofs may overlap: time that was counted is not counted again.
  mutating func proveRest(_ proof: RestProof, until time: Int64) {
    let more = max(0, time - max(last, provenUntil))
    proven += more
    if proof.isMonitored { watched += more }
    provenUntil = max(provenUntil, time)
    place.proveRest(until: time, delay: proof.delay)
  }

  /// It came to rest unobserved. Ignored for a visit, whose beginning is known.
  mutating func came(_ arrival: UnseenArrival) {
    guard !isVisit else { return }
    place.came(arrival)
    guard cameBy == nil, arrival.latest > first else { return }
    cameBy = arrival.latest
    if arrival.isSensed { cameAfter = arrival.time }
  }

  /// Seen again within reach and close to its centre.
  mutating func addInCore(_ seen: PlanarLocation, _ rules: StayRules) {
    core = seen.time
    coreReach = distance(to: seen) + seen.sigma
    leftByVehicle = false
    sightings.see(seen)
    add(seen, isInCore: true, rules)
  }

  /// Seen at vehicle speed on the edge of the place, soon after its centre: it is riding off.
  mutating func noticeRide(_ seen: PlanarLocation, squared: Double, _ rules: StayRules) {
    guard seen.speed >= rules.vehicle, !rules.isUnwatched(from: core, to: seen.time) else { return }
    let inner = rules.rest + rules.allowance(for: seen, at: self)
    let outer = rules.boarding + bestSigma
    if squared > inner * inner, squared <= outer * outer { leftByVehicle = true }
  }

  mutating func move(_ shift: PlaneShift) {
    centre.move(shift)
    place.move(shift)
    shift.move(&before)
    shift.move(&vehicleBefore)
  }

  // MARK: Results

  /// Makes the stay a visit, and determines its beginning.
  mutating func confirm(along path: RecentPath, _ rules: StayRules) {
    isVisit = true
    if proven > 0, let point = path.restingPoint(since: first) { centre.settle(at: point) }
    refineArrival(along: path, rules)
  }

  /// The first location near the final centre, or, after a gap that began at speed, the end of the
  /// trip.
  mutating func refineArrival(along path: RecentPath, _ rules: StayRules) {
    let locations = path.locations.drop { $0.time < first }
    if let near = locations.first(where: { isNear($0, rules) }) {
      arrival = near.time
      if StayObservations.isSharp(near) { sightings.begin(at: near.time) }
    }
    retraceArrival(locations, rules)
    guard arrival == first, let before else { return }
    if let came = rules.arrival(at: first, distance: distance(to: before), from: before) {
      arrival = came
    }
  }

  /// The last location in motion or elsewhere before it came to rest, and the first one at rest.
  private mutating func retraceArrival(_ path: ArraySlice<PlanarLocation>, _ rules: StayRules) {
    let rested = path.first { $0.isAtStandstill && isNear($0, rules) }
    place.begin(at: rested?.time)
    let before = path.prefix { $0.time < rested?.time ?? .max && !$0.isRepeated }
    if let moving = before.last(where: { isRiding($0, rules) || !isNear($0, rules) }) {
      arrivalEarliest = moving.time
    }
  }

  /// Whether the location is close to the centre.
  private func isNear(_ seen: PlanarLocation, _ rules: StayRules) -> Bool {
    let radius = rules.rest / 2 + min(seen.sigma, max(rules.coarse, bestSigma))
    return squaredDistance(to: seen) <= radius * radius
  }

  private func isRiding(_ seen: PlanarLocation, _ rules: StayRules) -> Bool {
    seen.isMoving && seen.speed >= rules.vehicle
  }

  /// The first location of all: it may have come at any time since then.
  mutating func watched(since time: Int64) { arrivalEarliest = min(arrivalEarliest, time) }

  /// Continues a stay that seemed to have ended.
  mutating func resume(from visit: Visit, on plane: LocalPlane) {
    place.resume(at: PlaceEstimate(plane.point(visit.position), radius: visit.accuracy))
    first = min(first, visit.arrival.estimate.nanoseconds)
    arrival = visit.arrival.estimate.nanoseconds
    resumedArrival = visit.arrival
    sightings.resume(from: visit)
  }

  /// The departure: after it was last known to rest at the place, and before it was first seen in
  /// motion away from it. Where it was not seen at a standstill, not before it was last seen at the
  /// place, or, where there are only inaccurate locations, not long before the last of them.
  /// - Parameter seenAway: when it was first seen elsewhere.
  func departure(_ estimate: Int64, seenAway: Int64, _ rules: StayRules) -> TimeEstimate {
    let blurred = core - rules.blur(over: coreReach)
    let seen = max(sightings.last ?? first, blurred, arrival)
    guard let rested = place.restedUntil, rested >= arrival else {
      return TimeEstimate(estimate, in: min(seen, estimate)...max(seenAway, estimate))
    }
    // Motion before the estimate was noise, or within the place.
    let leaving = place.leaving.flatMap { $0.time >= estimate ? $0.time : nil }
    let latest = max(leaving ?? seenAway, rested, estimate)
    let creeping = latest - rested <= Self.prompt ? Self.creeping : 0
    let earliest = max(rested - (place.detectionDelay ?? creeping), first)
    // A location is no better than the last one near the centre: people move about at a place.
    guard let delay = place.detectionDelay, estimate - rested <= Self.prompt else {
      return TimeEstimate(estimate, in: min(earliest, estimate)...latest)
    }
    return TimeEstimate(rested - delay / 2, in: earliest...latest)
  }

  /// The arrival: after it was last seen elsewhere or in motion, and before it was first known to
  /// rest at the place.
  /// - Parameter end: of the stay.
  private func arrivalEstimate(until end: Int64, _ rules: StayRules) -> TimeEstimate {
    if let resumedArrival { return resumedArrival }
    if let cameAfter, let cameBy, place.restedSince ?? .max >= cameAfter {
      return TimeEstimate(cameAfter + (cameBy - cameAfter) / 2, in: cameAfter...cameBy)
    }
    // Later motion near the centre is noise, or within the place.
    if let unseen = place.unseenArrival(by: cameBy), unseen.lowerBound <= arrival + Self.prompt {
      let width = unseen.upperBound - unseen.lowerBound
      return TimeEstimate(
        width <= 2 * Self.prompt ? unseen.lowerBound + width / 2 : arrival, in: unseen)
    }
    let blurred = min(first + rules.blur(over: firstSigma), last)
    let seen = max(min(sightings.first ?? blurred, blurred, end), arrival)
    let rested = place.restedSince ?? seen
    let creeping = (1...Self.prompt).contains(rested - arrivalEarliest) ? Self.creeping : 0
    let latest = max(arrival, min(rested + creeping, end))
    return TimeEstimate(arrival, in: min(arrivalEarliest, arrival)...latest)
  }

  /// The stay as a visit; without a `departure` it is still open.
  /// - Parameter away: the first location elsewhere; nil: the board is here, or that is unknown.
  func visit(
    _ id: Int64, until departure: TimeEstimate?, away: PlanarLocation? = nil,
    on plane: LocalPlane, _ rules: StayRules
  ) -> Visit {
    let place = place.estimate(centre, over: minutes, away: away)
    let end = departure?.estimate.nanoseconds ?? last
    let arrival = arrivalEstimate(until: end, rules)
      .later(by: self.place.undetectedTime(away: away), until: end)
    var visit = Visit(
      id: id, arrival: arrival, departure: departure?.after(arrival),
      position: plane.coordinate(LocalPlane.Point(east: Metres(place.x), north: Metres(place.y))),
      accuracy: Metres(place.radius), confidence: 0, locations: centre.locations)
    visit.lastSeen = UTCInstant(nanoseconds: max(self.arrival, min(max(last, seenUntil), end)))
    visit.isCoarse = centre.isFromCoarseSources
    visit.gaps = sightings.gaps.since(visit.arrival.estimate)
    visit.unobserved = unwatched(visit)
    visit.confidence = rules.confidence(
      of: visit.duration(until: UTCInstant(nanoseconds: end)), unwatched: visit.unobserved,
      locations: centre.locations)
    return visit
  }

  /// How long the board's presence is unconfirmed, counting long gaps only.
  private func unwatched(_ visit: Visit) -> Seconds {
    func long(_ time: Seconds) -> Seconds {
      time.nanosecondsClamped > StayObservations.maxGap ? time : 0
    }
    let seen = sightings.first.map { UTCInstant(nanoseconds: $0) } ?? visit.arrival.latest
    let before = long(min(seen, visit.arrival.latest) - visit.arrival.estimate)
    let after: Seconds? = visit.departure.map { departure in
      let known = max(provenUntil, sightings.last ?? .min)
      let vouched = UTCInstant(nanoseconds: min(known, departure.estimate.nanoseconds))
      return long(departure.estimate - max(departure.earliest, vouched))
    }
    return Seconds(Double(sightings.missed) / 1e9) + before + (after ?? 0)
  }

  private var minutes: Double { Double(last - first) / 60e9 }
}

// MARK: Over a restart

extension StayHypothesis {
  static let blank = StayHypothesis(.init(time: 0, x: 0, y: 0, sigma: 1), before: nil, vehicle: nil)

  /// A stay spread over more than the Earth is damage, but a coarse location may be off by a
  /// continent. The limit is lower than that of a visit's accuracy, because the error can grow
  /// before the stay ends.
  private static let maxStandardError = 5e7

  // As one expression, these take Swift 6.0 too long.
  private static let courseFields: [SnapshotField<StayHypothesis>] = [
    .required("first", \.first, .time), .required("last", \.last, .time),
    .required("core", \.core, .time), .defaulted("core_reach", \.coreReach, .length, .nan),
  ]
  private static let stayFields: [SnapshotField<StayHypothesis>] = [
    .defaulted("last_speed", \.lastSpeed, .length, .nan),
    .required("is_visit", \.isVisit, .flag),
    .defaulted("rode_off", \.leftByVehicle, .flag, false),
    .required("arrival", \.arrival, .time), .optional("before", \.before, PlanarLocation.coding),
    .required("arrival_earliest", \.arrivalEarliest, .time),
    .optional("came_by", \.cameBy, .time), .optional("came_after", \.cameAfter, .time),
    .optional("resumed_arrival", \.resumedArrival, .estimate),
    .optional("vehicle_before", \.vehicleBefore, PlanarLocation.coding),
    .defaulted("proven_ns", \.proven, .duration, 0),
    .defaulted("watched_ns", \.watched, .duration, 0),
    .defaulted("proven_until", \.provenUntil, .time, .min),
    .defaulted("seen_until", \.seenUntil, .time, .min),
    .defaulted("stood_ns", \.stationaryTime, .duration, 0),
  ]
  private static var fields: [SnapshotField<StayHypothesis>] {
    var fields = StayCentre.positionFields.map { $0.of(\Self.centre) }
    fields += courseFields
    fields += StayCentre.qualityFields.map { $0.of(\Self.centre) }
    fields += stayFields
    fields += StayObservations.fields.map { $0.of(\Self.sightings) }
    fields += StayPlace.fields.map { $0.of(\Self.place) }
    return fields
  }

  static let coding = SnapshotFields<StayHypothesis>(fields).coding(onto: blank) {
    if $0.coreReach.isNaN { $0.coreReach = $0.firstSigma }
    $0.seenUntil = max($0.seenUntil, $0.first)
    // Extreme weights or squares would make the error unbounded.
    return $0.centre.standardError(over: $0.minutes) <= maxStandardError
  }
}
