import Core
import Records

/// The position of a stay as the weighted mean of its locations, and its accuracy. Metres of the
/// detector's plane.
struct StayCentre: Hashable, Sendable {
  private(set) var x: Double
  private(set) var y: Double
  /// Sum of the weights 1/sigma² and of weighted squared distances from the centre.
  private var weight: Double
  private var squares = 0.0
  private(set) var locations = 1
  /// Whether only coarse sources have located the board there.
  private(set) var isFromCoarseSources: Bool
  /// Whether their errors are so large that they indicate little more than the district.
  private(set) var isCoarse: Bool
  private(set) var firstSigma: Double
  private(set) var bestSigma: Double

  init(_ seen: PlanarLocation) {
    x = seen.x
    y = seen.y
    weight = 1 / (seen.sigma * seen.sigma)
    isFromCoarseSources = seen.isFromCoarseSource
    isCoarse = seen.isCoarse
    firstSigma = seen.sigma
    bestSigma = seen.sigma
  }

  /// The weighted mean moves by its share (West 1979: one pass, no cancellation).
  mutating func add(_ seen: PlanarLocation) {
    let w = 1 / (seen.sigma * seen.sigma)
    let dx = seen.x - x
    let dy = seen.y - y
    weight += w
    let share = w / weight
    x += dx * share
    y += dy * share
    squares += w * (1 - share) * (dx * dx + dy * dy)
    locations += 1
    isFromCoarseSources = isFromCoarseSources && seen.isFromCoarseSource
    isCoarse = isCoarse && seen.isCoarse
    if seen.sigma < bestSigma { bestSigma = seen.sigma }
  }

  mutating func move(_ shift: PlaneShift) { shift.move(&x, &y) }

  /// Replaces the centre by a better estimate that excludes the paths to the place and away. Their
  /// locations still count for its accuracy.
  mutating func settle(at point: (x: Double, y: Double)) {
    let dx = point.x - x
    let dy = point.y - y
    // The sum of squares about another point (Steiner, the parallel axis theorem).
    squares += weight * (dx * dx + dy * dy)
    x = point.x
    y = point.y
  }

  /// Standard error of the centre. GNSS errors stay correlated for about a minute, so a dense
  /// source has fewer independent locations than it sends. The towers around a place are always the
  /// same: however often they answer, they count as one.
  func standardError(over minutes: Double) -> Double {
    let independent = isCoarse ? 1 : max(1, min(Double(locations), minutes))
    let claimed = Double(locations) / weight
    let scattered = squares / weight / 2
    return max(2, (max(claimed, scattered) / independent).squareRoot())
  }

  static let positionFields: [SnapshotField<StayCentre>] = [
    .required("x", \.x, .metres), .required("y", \.y, .metres),
  ]
  static let qualityFields: [SnapshotField<StayCentre>] = [
    .required("weight", \.weight, .number { $0 > 0 && $0 <= 1e20 }),
    .required("squares", \.squares, .number(0...1e20)),
    .required("sightings", \.locations, .count, merge: { max(1, $1) }),
    .defaulted("is_from_coarse_sources", \.isFromCoarseSources, .flag, false),
    .defaulted("is_coarse", \.isCoarse, .flag, false),
    .required("first_sigma", \.firstSigma, .positiveLength),
    .required("best_sigma", \.bestSigma, .positiveLength),
  ]
}

/// Evidence other than locations that the board has not moved for some time.
struct RestProof: Sendable {
  /// Whether movement would have been detected: by a motion sensor, or by a network that the board
  /// would have left. A signal that stays lost is weaker evidence.
  let isMonitored: Bool
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
  /// Metres per second: above the speed that a receiver measures on a board at a standstill.
  static let standstillSpeed = 0.6
  /// The maximum spacing of such locations, too short for leaving and coming back, in nanoseconds.
  private static let dense: Int64 = 20_000_000_000
  /// The last location at vehicle speed before it came here.
  private(set) var vehicleBefore: PlanarLocation?

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
  mutating func add(_ seen: PlanarLocation) {
    let isWalking = seen.speed >= Self.standstillSpeed
    // Where rest was proved, a board that walks off no longer improves the centre.
    if !isWalking || proven == 0 { centre.add(seen) }
    if seen.speed < Self.standstillSpeed, seen.time - last <= Self.dense {
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
  }

  /// It came to rest unobserved, by then. Ignored for a visit, whose beginning is known.
  mutating func came(by time: Int64) {
    if !isVisit, cameBy == nil, time > first { cameBy = time }
  }

  /// Seen again within reach and close to its centre.
  mutating func addInCore(_ seen: PlanarLocation) {
    core = seen.time
    coreReach = distance(to: seen) + seen.sigma
    leftByVehicle = false
    sightings.see(seen)
    add(seen)
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
    let inner = rules.rest / 2
    for seen in path.locations where seen.time >= first {
      let radius = inner + min(seen.sigma, max(rules.coarse, bestSigma))
      if squaredDistance(to: seen) <= radius * radius {
        arrival = seen.time
        if StayObservations.isSharp(seen) { sightings.begin(at: seen.time) }
        break
      }
      arrivalEarliest = seen.time
    }
    guard arrival == first, let before else { return }
    if let came = rules.arrival(at: first, distance: distance(to: before), from: before) {
      arrival = came
    }
  }

  /// Continues a stay that seemed to have ended.
  mutating func resume(from visit: Visit) {
    first = min(first, visit.arrival.estimate.nanoseconds)
    arrival = visit.arrival.estimate.nanoseconds
    arrivalEarliest = visit.arrival.earliest.nanoseconds
    sightings.resume(from: visit)
  }

  /// The departure within the bounds that the locations prove: not before it was last seen at the
  /// place, or, where there are only inaccurate locations, not long before the last of them.
  /// - Parameter seenAway: when it was first seen elsewhere.
  func departure(_ estimate: Int64, seenAway: Int64, _ rules: StayRules) -> TimeEstimate {
    let blurred = core - rules.blur(over: coreReach)
    let seen = max(sightings.last ?? first, blurred, arrival)
    return TimeEstimate(
      estimate: UTCInstant(nanoseconds: estimate),
      earliest: UTCInstant(nanoseconds: min(seen, estimate)),
      latest: UTCInstant(nanoseconds: max(seenAway, estimate)))
  }

  /// The arrival: not after it was first seen at the place.
  /// - Parameter end: of the stay.
  private func arrivalEstimate(until end: Int64, _ rules: StayRules) -> TimeEstimate {
    let blurred = min(first + rules.blur(over: firstSigma), last)
    let seen = min(sightings.first ?? blurred, blurred, end)
    return TimeEstimate(
      estimate: UTCInstant(nanoseconds: arrival),
      earliest: UTCInstant(nanoseconds: min(arrivalEarliest, arrival)),
      latest: UTCInstant(nanoseconds: min(max(seen, arrival, cameBy ?? .min), max(end, arrival))))
  }

  /// The stay as a visit; without a `departure` it is still open.
  func visit(
    _ id: Int64, until departure: TimeEstimate?, on plane: LocalPlane, _ rules: StayRules
  ) -> Visit {
    let end = departure?.estimate.nanoseconds ?? last
    var visit = Visit(
      id: id, arrival: arrivalEstimate(until: end, rules), departure: departure,
      position: plane.coordinate(
        LocalPlane.Point(east: Metres(centre.x), north: Metres(centre.y))),
      accuracy: Metres(standardError), confidence: 0, locations: centre.locations)
    visit.lastSeen = UTCInstant(nanoseconds: max(arrival, min(max(last, seenUntil), end)))
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
    let before = long(visit.arrival.latest - visit.arrival.estimate)
    let after: Seconds? = visit.departure.map { departure in
      let vouched = UTCInstant(nanoseconds: min(provenUntil, departure.estimate.nanoseconds))
      return long(departure.estimate - max(departure.earliest, vouched))
    }
    return Seconds(Double(sightings.missed) / 1e9) + before + (after ?? 0)
  }

  private var standardError: Double { centre.standardError(over: Double(last - first) / 60e9) }
}

// MARK: Over a restart

extension StayHypothesis {
  static let blank = StayHypothesis(.init(time: 0, x: 0, y: 0, sigma: 1), before: nil, vehicle: nil)

  /// A stay spread over more than the Earth is damage, but a coarse location may be off by a
  /// continent. The limit is lower than that of a visit's accuracy, because the error can grow
  /// before the stay ends.
  private static let maxStandardError = 5e7

  static let coding = SnapshotFields<StayHypothesis>(
    StayCentre.positionFields.map { $0.of(\.centre) } + [
      .required("first", \.first, .time), .required("last", \.last, .time),
      .required("core", \.core, .time), .defaulted("core_reach", \.coreReach, .length, .nan),
    ] + StayCentre.qualityFields.map { $0.of(\.centre) } + [
      .defaulted("last_speed", \.lastSpeed, .length, .nan),
      .required("is_visit", \.isVisit, .flag),
      .defaulted("rode_off", \.leftByVehicle, .flag, false),
      .required("arrival", \.arrival, .time), .optional("before", \.before, PlanarLocation.coding),
      .required("arrival_earliest", \.arrivalEarliest, .time),
      .optional("came_by", \.cameBy, .time),
      .optional("vehicle_before", \.vehicleBefore, PlanarLocation.coding),
      .defaulted("proven_ns", \.proven, .duration, 0),
      .defaulted("watched_ns", \.watched, .duration, 0),
      .defaulted("proven_until", \.provenUntil, .time, .min),
      .defaulted("seen_until", \.seenUntil, .time, .min),
      .defaulted("stood_ns", \.stationaryTime, .duration, 0),
    ] + StayObservations.fields.map { $0.of(\.sightings) }
  ).coding(onto: blank) {
    if $0.coreReach.isNaN { $0.coreReach = $0.firstSigma }
    $0.seenUntil = max($0.seenUntil, $0.first)
    // Extreme weights or squares would make the error unbounded.
    return $0.standardError <= maxStandardError
  }
}
