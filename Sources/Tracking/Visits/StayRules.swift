import Core
import Records

/// What counts as a stay: the settings as the hot path wants them, and what follows from them.
/// Lengths are metres, durations nanoseconds, speeds metres per second.
struct StayRules: Hashable, Sendable {
  let settings: DwellSettings
  let dwell, absence, silence, merge, wait: Int64
  let rest, leave, growth, coarse, walking, vehicle, boarding: Double
  /// Nobody gets from a place at which they rested to another one faster, but by air: by car on a
  /// motorway, and on ways as long as a fast train's by that.
  private static let (motorway, fastTrain) = (30.0, 85.0)
  private static let trainWay = 100_000.0
  /// An airliner in a jet stream.
  private static let fastest = 340.0
  /// A garage, a tunnel, and a receiver that has to find its satellites again: for half an hour at
  /// most a sky is dark for other reasons than walls around a stay, or a ride.
  private static let longestStart: Int64 = 1_800_000_000_000

  init(_ settings: DwellSettings) {
    self.settings = settings
    dwell = settings.minDwell.nanosecondsClamped
    absence = settings.minAbsence.nanosecondsClamped
    silence = settings.maxGap.nanosecondsClamped
    merge = settings.mergeWindow.nanosecondsClamped
    wait = settings.maxTransportWait.nanosecondsClamped
    rest = settings.restRadius.value
    leave = settings.leaveRadius.value
    growth = settings.radiusGrowth
    coarse = settings.coarseError.value
    walking = settings.walkingSpeed.value
    vehicle = settings.vehicleSpeed.value
    boarding = settings.boardingRadius.value
  }

  // MARK: Radii

  /// How far from the centre the board may be seen without having left.
  /// - Parameter absence: what already speaks for its having left. Who was located well elsewhere
  ///   needs no excuse for the worse locations that follow.
  func reach(
    of stay: StayHypothesis, for seen: PlanarLocation, despite absence: Absence?
  ) -> Double {
    guard stay.isVisit else {
      // A shop, a flat: who has rested for a while may wander about it.
      let share = min(1, Double(stay.last - stay.first) / Double(dwell))
      return rest * (1 + share)
    }
    // The binary logarithm, linear between the powers of two (never off by more than 0.09).
    let hours = 1 + Double(stay.last - stay.first) / 3.6e12
    let sigma = min(seen.sigma, absence?.bestSigma ?? .infinity)
    let doubt = max(0, min(1, (sigma - 5) / 15))
    return leave * (1 + growth * doubt * (Double(hours.exponent) + hours.significand - 1))
  }

  /// What the location's own error excuses. A place that is known from coarse locations only may be
  /// as wide as they are.
  ///
  /// Against a place that is known well a coarse location counts only when it is far beyond its own
  /// error: towers answer for each other, and now and then one answers for a place far away.
  func allowance(for seen: PlanarLocation, at stay: StayHypothesis) -> Double {
    if seen.isCoarse, stay.bestSigma <= coarse { return seen.sigma * 2.5 }
    return min(seen.sigma, max(coarse, stay.bestSigma))
  }

  // MARK: Durations

  /// How long it takes to tell resting from creeping: a board slower than a third of a metre per
  /// second would not have left what the errors allow before.
  func shortestProof(of stay: StayHypothesis, _ sigma: Double) -> Int64 {
    if stay.proven >= dwell / 2 { return dwell }
    let seconds = (rest + min(stay.firstSigma, sigma)) / 0.3
    return max(dwell, Seconds(seconds).nanosecondsClamped)
  }

  /// A stay has lasted when it took longer than the minimum dwell and the ways in and out of the
  /// radius within which it is seen: a slow passer-by takes that long too. Whoever was seen
  /// standing, or is known to have rested, has not passed by. Who came in a vehicle has not walked
  /// in, and not out either who left in one, too; who came on foot and left in one has waited.
  /// - Parameter gone: how it left; nil: it has not, or nobody knows.
  func shortestVisit(of stay: StayHypothesis, _ gone: Absence? = nil) -> Int64 {
    if stay.proven >= dwell / 2 || stay.stood >= dwell { return dwell }
    let leftInVehicle = stay.rodeOff || (gone?.firstSpeed ?? .nan) >= vehicle
    let walkedWays: Double = !stay.cameInVehicle(self) ? 2 : leftInVehicle ? 0 : 1
    return dwell + Seconds(walkedWays * (rest + stay.bestSigma) / walking).nanosecondsClamped
  }

  /// A location near the centre proves presence no better than its distance and its error: so long
  /// may the board have been on its way already, or still. Streets bend and people dawdle: half
  /// the walking pace as the crow flies.
  func blur(over reach: Double) -> Int64 {
    Int64((rest + min(reach, 2 * coarse)) * 2 / walking * 1e9)
  }

  /// How long the way takes: on foot at first, faster the farther it goes (as the square root:
  /// 1.4 m/s up to 500 m, 6 m/s over 10 km, 20 m/s over 100 km from door to door).
  func travelTime(over distance: Double) -> Int64 {
    guard distance > 0 else { return 0 }
    let speed = walking * max(1, distance / 500).squareRoot()
    return Seconds(distance / speed).nanosecondsClamped
  }

  // MARK: Time that nobody watched

  func isUnwatched(from: Int64, to: Int64) -> Bool { to - from > silence }

  /// When the board left: the last location near the centre if it was watched leaving, else as late
  /// as the way to where it was seen next allows.
  func departure(from stay: StayHypothesis, _ gone: Absence) -> Int64 {
    if let unseen = unseenDeparture(from: stay, gone) { return unseen.estimate.nanoseconds }
    guard isUnwatched(from: stay.last, to: gone.first), !(stay.lastSpeed > vehicle) else {
      return stay.core
    }
    // One location and then something far away: it may have been anywhere.
    if !stay.isVisit, stay.centre.locations < 2, gone.distance > 1000 { return stay.core }
    return max(stay.core, gone.first - travelTime(over: gone.distance - rest))
  }

  /// Whether nobody gets so far in the time since the board was at the place of the stay last.
  func isOutOfReach(_ seen: PlanarLocation, from stay: StayHypothesis) -> Bool {
    let way = stay.distance(to: seen)
    let possible = Self.mostSpeed(over: way) * Double(seen.time - stay.last) / 1e9
    return way > possible + rest + 2 * seen.sigma + stay.bestSigma
  }

  private static func mostSpeed(over way: Double) -> Double {
    way < trainWay ? motorway : fastTrain
  }

  /// When the board left that was only concluded to be at the place of the stay, and was seen out
  /// of reach of it then; nil: it was seen there, or came no faster than is possible.
  func unseenDeparture(from stay: StayHypothesis, _ gone: Absence) -> TimeEstimate? {
    gone.isOutOfReach && stay.isUnseen
      ? departure(fromUnseen: stay, foundAfter: gone.distance, at: gone.first) : nil
  }

  /// When the board left that was taken to rest where no sky is and is found so far away that it
  /// cannot have: after it was located there last, and in time for the way. It left as late as a
  /// usual way allows, unless that contradicts more than a little of the dark time: then none of
  /// that tells anything.
  func departure(fromUnseen stay: StayHypothesis, foundAfter way: Double, at found: Int64)
    -> TimeEstimate
  {
    // It came when it was first known to be near the centre: by a location, or by resting.
    let seen = max(stay.seenUntil, stay.arrival)
    let shortest = Seconds(way / Self.mostSpeed(over: way)).nanosecondsClamped
    let contradicted = shortest - (found - stay.last)
    let isBrief = contradicted < min((stay.last - seen) / 4, Self.longestStart)
    let estimate = isBrief ? max(seen, found - travelTime(over: way - rest)) : seen
    let latest = max(estimate, found - Seconds(way / Self.fastest).nanosecondsClamped)
    return TimeEstimate(
      estimate: UTCInstant(nanoseconds: estimate), earliest: UTCInstant(nanoseconds: seen),
      latest: UTCInstant(nanoseconds: latest))
  }

  /// When the board came, if it was first seen at `first` out of an unwatched time that began at
  /// speed: at the end of the way to here. Nil: it was watched coming, or nothing is known.
  func arrival(at first: Int64, distance: Double, from before: PlanarLocation) -> Int64? {
    guard isUnwatched(from: before.time, to: first), before.speed > vehicle else { return nil }
    return min(first, before.time + travelTime(over: distance - rest))
  }

  // MARK: Judgements

  /// Whether a stay that ends then has lasted, and was not spent waiting for transport.
  func isVisit(_ stay: StayHypothesis, until departure: Int64, _ gone: Absence?) -> Bool {
    departure - stay.arrival >= shortestVisit(of: stay, gone) && !isWait(stay, until: departure)
  }

  /// Whether more speaks for it than coarse locations, which cannot tell rest from movement within
  /// their error.
  func isSeen(_ stay: StayHypothesis) -> Bool {
    !stay.centre.isCoarse || stay.proven >= dwell / 2
  }

  /// Came on foot and rode off from the very place: a bus stop, a platform. Who came by vehicle and
  /// leaves by vehicle has parked, and that is a visit. So is a rest that was watched: who waits
  /// stands on their feet, and a sensor feels that. How a recording's first stay began nobody saw.
  private func isWait(_ stay: StayHypothesis, until departure: Int64) -> Bool {
    stay.rodeOff && departure - stay.arrival < wait && stay.watched < dwell / 2
      && stay.hasComeThere && !stay.cameInVehicle(self)
  }

  /// Longer is surer, and so is oftener: half at the minimum dwell with many locations. What was
  /// not watched counts for nothing.
  func confidence(of time: Seconds, unwatched: Seconds, locations: Int) -> Double {
    let time = max(0, time.value)
    let length = time / (time + settings.minDwell.value)
    let watched = time > 0 ? max(0, 1 - unwatched.value / time) : 1
    return length * watched * (1 - 1 / Double(locations + 1))
  }
}
