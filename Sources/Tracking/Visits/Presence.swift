import Core

/// Whether the board is still at its stay, by weighing two hypotheses: it rests there, or it has
/// left.
struct Presence: Sendable {
  /// The conclusion from a location.
  enum Conclusion {
    /// The board was seen at its place.
    case here
    /// Neither is proved yet.
    case undecided
    /// It has left; `moveOn` continues with the next stay.
    case gone
  }

  var stay: StayHypothesis
  private(set) var absence: Absence?
  /// The last location that counted.
  private(set) var latest: PlanarLocation

  /// - Parameter before: the previous location; nil: there was none.
  init(_ seen: PlanarLocation, after before: PlanarLocation? = nil, vehicle: PlanarLocation?) {
    stay = StayHypothesis(seen, before: before, vehicle: vehicle)
    latest = seen
  }

  /// From when the path is still needed for the place and time of arrival: of the stay until it is
  /// a visit, and always of the next one.
  var pathBegin: Int64 {
    stay.isVisit ? absence?.elsewhere.first ?? stay.last : stay.first
  }

  /// Whether the board cannot have come there from the visit at which it was just seen: probably an
  /// error, until more locations agree.
  func isImpossible(_ located: PlanarLocation) -> Bool {
    guard let absence, absence.isOutOfReach, stay.isVisit else { return false }
    return stay.isSeen && located.time >= absence.first
  }

  /// The board has not moved since the location before.
  mutating func proveRest(_ proof: RestProof, until time: Int64) {
    if absence == nil {
      stay.proveRest(proof, until: time)
    } else {
      absence?.proveRest(proof, until: time)
    }
  }

  /// It came to its present place unobserved.
  mutating func came(_ arrival: UnseenArrival) {
    if absence == nil { stay.came(arrival) } else { absence?.came(arrival) }
  }

  /// The fast path for by far the most frequent location, close to where the board rests.
  /// - Returns: whether it was one.
  mutating func addIfAtRest(_ seen: PlanarLocation, _ rules: StayRules) -> Bool {
    let radius = rules.rest + seen.sigma
    guard absence == nil, seen.sigma <= rules.coarse,
      stay.squaredDistance(to: seen) <= radius * radius, seen.time - stay.last <= rules.dwell
    else { return false }
    stay.addInCore(seen, rules)
    latest = seen
    return true
  }

  /// Whether the place is known better than the location, which then adds nothing.
  func learnsNothing(from seen: PlanarLocation, _ rules: StayRules) -> Bool {
    seen.sigma > rules.coarse && stay.bestSigma <= rules.coarse
      && stay.distance(to: seen) <= rules.leave + 2 * seen.sigma
  }

  /// Whether the board had already left when the unobserved time before this location began: the
  /// place before the gap is where it was last seen, however briefly.
  func hadGone(before seen: PlanarLocation, _ rules: StayRules) -> Bool {
    absence != nil && rules.isUnwatched(from: latest.time, to: seen.time)
      && stay.distance(to: seen) > rules.reach(of: stay, for: seen, despite: absence)
        + rules.allowance(for: seen, at: stay)
  }

  /// Counts the location for the stay or against it.
  /// - Parameter vehicle: the last location at the speed of a vehicle.
  mutating func weigh(
    _ seen: PlanarLocation, vehicle: PlanarLocation?, _ rules: StayRules
  ) -> Conclusion {
    defer { latest = seen }
    let sigma = rules.allowance(for: seen, at: stay)
    let squared = stay.squaredDistance(to: seen)
    let wasSilent = absence == nil && seen.time - stay.last > rules.dwell
    let reach = rules.reach(of: stay, for: seen, despite: absence)
    let radius = (wasSilent ? max(reach, rules.leave) : reach) + sigma
    stay.noticeRide(seen, squared: squared, rules)
    // An assumed rest belongs to the last location, unless the board may have returned to a visit.
    let isElsewhere = seen.isAssumed && absence != nil && !stay.isVisit
    guard squared <= radius * radius, !isElsewhere else {
      noticeAbsence(seen, distance: squared.squareRoot(), vehicle: vehicle, rules)
      return isSettled(at: seen.time, rules) ? .gone : .undecided
    }
    absence = nil
    if wasSilent, !stay.isVisit, stay.proven == 0, stay.lastSpeed > rules.vehicle {
      // It passed here in a vehicle and does so again: coincidence, not a stay. A proven rest is a
      // stay.
      stay = StayHypothesis(seen, before: latest, vehicle: vehicle)
      return .undecided
    }
    let core = rules.rest + sigma
    if wasSilent || squared <= core * core {
      stay.addInCore(seen, rules)
    } else {
      stay.add(seen, rules)
    }
    return .here
  }

  /// The last location that counted and was observed. A rest is proved where the board was last
  /// located, but it may have walked on from there before that.
  private var lastObserved: PlanarLocation {
    latest.isRepeated ? (absence?.elsewhere ?? stay).unlocatedApproach ?? latest : latest
  }

  private mutating func noticeAbsence(
    _ seen: PlanarLocation, distance: Double, vehicle: PlanarLocation?, _ rules: StayRules
  ) {
    let observed = lastObserved
    guard absence == nil else {
      absence?.add(
        seen, orBegin: StayHypothesis(seen, before: observed, vehicle: vehicle), rules)
      return
    }
    let isOutOfReach = rules.isOutOfReach(seen, from: stay)
    let before = isOutOfReach && stay.isUnseen ? stay.lastSight : observed
    absence = Absence(
      StayHypothesis(seen, before: before, vehicle: vehicle), seen: seen, distance: distance,
      isOutOfReach: isOutOfReach)
  }

  /// Whether the absence has lasted long enough to end the stay.
  private func isSettled(at time: Int64, _ rules: StayRules) -> Bool {
    guard let absence, absence.locations >= 2 else { return false }
    let isStay = stay.isVisit || rules.departure(from: stay, absence) - stay.first >= rules.dwell
    let needed = isStay ? rules.absence : min(rules.absence, (stay.last - stay.first) / 4)
    return time - absence.first >= needed
  }

  /// Makes the stay a visit when a location at its place proves that.
  /// - Returns: whether it is one.
  mutating func confirmIfLong(
    _ seen: PlanarLocation, along path: RecentPath, _ rules: StayRules
  ) -> Bool {
    if stay.isVisit { return true }
    let length = stay.last - stay.first
    guard length >= rules.dwell, length >= rules.shortestProof(of: stay, seen.sigma)
    else { return false }
    stay.confirm(along: path, rules)
    return true
  }

  /// Makes a stay that began as an absence a visit, if it has lasted long enough.
  /// - Returns: whether it has.
  mutating func confirmIfDwelt(along path: RecentPath, _ rules: StayRules) -> Bool {
    guard stay.last - stay.first >= rules.dwell else { return false }
    stay.confirm(along: path, rules)
    return true
  }

  /// The board has left: the newest place becomes the stay.
  /// - Returns: what it has left; nil, without a change, when it was not seen elsewhere.
  mutating func moveOn() -> (stay: StayHypothesis, absence: Absence)? {
    guard let gone = absence else { return nil }
    defer {
      stay = gone.elsewhere
      absence = nil
    }
    return (stay, gone)
  }

  mutating func move(_ shift: PlaneShift) {
    stay.move(shift)
    absence?.move(shift)
    shift.move(&latest)
  }
}

/// An apparent departure: where the board has been seen since.
struct Absence: Hashable, Sendable {
  /// The newest place away from the stay, itself perhaps the next stay.
  private(set) var elsewhere: StayHypothesis
  /// The first location away: when, how far from the stay, and how fast, in metres per second.
  private(set) var first: Int64
  private(set) var distance: Double
  private(set) var firstSpeed: Double
  /// The first location away; nil after a restart with a state of an older version.
  private(set) var firstAway: PlanarLocation?
  /// Whether it was too far away for the time since the board was at the stay.
  private(set) var isOutOfReach: Bool
  private(set) var locations = 1
  /// The best location error away from the stay.
  private(set) var bestSigma: Double

  init(
    _ elsewhere: StayHypothesis, seen: PlanarLocation, distance: Double, isOutOfReach: Bool
  ) {
    self.elsewhere = elsewhere
    firstAway = seen
    first = elsewhere.first
    self.distance = distance
    firstSpeed = elsewhere.lastSpeed
    self.isOutOfReach = isOutOfReach
    bestSigma = elsewhere.bestSigma
  }

  /// Seen away again, at the same place or at the next one.
  mutating func add(_ seen: PlanarLocation, orBegin next: StayHypothesis, _ rules: StayRules) {
    locations += 1
    bestSigma = min(bestSigma, seen.sigma)
    let radius = rules.rest + rules.allowance(for: seen, at: elsewhere)
    if elsewhere.squaredDistance(to: seen) <= radius * radius {
      elsewhere.addInCore(seen, rules)
    } else {
      elsewhere = next
    }
  }

  mutating func proveRest(_ proof: RestProof, until time: Int64) {
    elsewhere.proveRest(proof, until: time)
  }

  mutating func came(_ arrival: UnseenArrival) { elsewhere.came(arrival) }

  mutating func move(_ shift: PlaneShift) {
    elsewhere.move(shift)
    shift.move(&firstAway)
  }
}

// MARK: Over a restart

extension Presence {
  static let blank = Presence(.init(time: 0, x: 0, y: 0, sigma: 1), vehicle: nil)

  static let fields: [SnapshotField<Presence>] = [
    .required("stay", \.stay, StayHypothesis.coding),
    .optional("absence", \.absence, Absence.coding),
    .required("previous", \.latest, PlanarLocation.coding),
  ]
}

extension Absence {
  fileprivate static let coding = SnapshotFields<Absence>([
    .required("elsewhere", \.elsewhere, StayHypothesis.coding), .required("first", \.first, .time),
    .required("distance", \.distance, .length),
    .defaulted("first_speed", \.firstSpeed, .length, .nan),
    .optional("first_away", \.firstAway, PlanarLocation.coding),
    .defaulted("is_out_of_reach", \.isOutOfReach, .flag, false),
    .required("sightings", \.locations, .count),
    .required("best_sigma", \.bestSigma, .positiveLength),
  ]).coding(
    onto: Absence(.blank, seen: .init(time: 0, x: 0, y: 0), distance: 0, isOutOfReach: false))
}
