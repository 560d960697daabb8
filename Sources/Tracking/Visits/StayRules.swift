import Core
import Records

/// The criteria of a stay: the settings in the units of the hot path, and what follows from them.
/// Lengths are metres, durations nanoseconds, speeds metres per second.
struct StayRules: Hashable, Sendable {
  let settings: DwellSettings
  let dwell, absence, silence, merge, wait: Int64
  let rest, leave, growth, coarse, walking, vehicle, boarding: Double
  /// The maximum speeds from one place of rest to another, except by air: a car's on a motorway,
  /// and a fast train's for long distances.
  private static let (motorway, fastTrain) = (30.0, 85.0)
  private static let trainWay = 100_000.0
  /// An airliner in a jet stream.
  private static let fastest = 340.0
  /// A garage, a tunnel, and a receiver that has to reacquire satellites: for half an hour at most
  /// the signal may be lost for other reasons than the walls around a stay, or a ride.
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
  /// - Parameter absence: the evidence for a departure so far. After an accurate location elsewhere
  ///   the inaccuracy of later ones is no excuse.
  func reach(
    of stay: StayHypothesis, for seen: PlanarLocation, despite absence: Absence?
  ) -> Double {
    guard stay.isVisit else {
      // A shop, a flat: after some rest the board may wander about it.
      let share = min(1, Double(stay.last - stay.first) / Double(dwell))
      return rest * (1 + share)
    }
    // The binary logarithm, linear between the powers of two (never off by more than 0.09).
    let hours = 1 + Double(stay.last - stay.first) / 3.6e12
    let sigma = min(seen.sigma, absence?.bestSigma ?? .infinity)
    let doubt = max(0, min(1, (sigma - 5) / 15))
    return leave * (1 + growth * doubt * (Double(hours.exponent) + hours.significand - 1))
  }

  /// The allowance for the location's own error. A place that is known from coarse locations only
  /// may be as wide as they are.
  ///
  /// Against a place that is known well a coarse location counts only when it is far beyond its own
  /// error: towers answer for each other, and occasionally one answers for a place far away.
  func allowance(for seen: PlanarLocation, at stay: StayHypothesis) -> Double {
    if seen.isCoarse, stay.bestSigma <= coarse { return seen.sigma * 2.5 }
    return min(seen.sigma, max(coarse, stay.bestSigma))
  }

  // MARK: Durations

  /// How long it takes to distinguish rest from creeping: a board slower than a third of a metre
  /// per second would not have left the error radius earlier.
  func shortestProof(of stay: StayHypothesis, _ sigma: Double) -> Int64 {
    if stay.proven >= dwell / 2 { return dwell }
    let seconds = (rest + min(stay.firstSigma, sigma)) / 0.3
    return max(dwell, Seconds(seconds).nanosecondsClamped)
  }

  /// The minimum length of a visit. It is longer than the minimum dwell by the time to walk into
  /// and out of the radius, which a slow passer-by needs, too. A board that was seen standing, or
  /// is known to have rested, has not passed by. After an arrival in a vehicle the way in is not
  /// counted, nor the way out after a departure in one as well; an arrival on foot and a departure
  /// in a vehicle count as waiting.
  /// - Parameter gone: how it left; nil: it has not, or that is unknown.
  func shortestVisit(of stay: StayHypothesis, _ gone: Absence? = nil) -> Int64 {
    if stay.proven >= dwell / 2 || stay.stationaryTime >= dwell { return dwell }
    let leftInVehicle = stay.leftByVehicle || (gone?.firstSpeed ?? .nan) >= vehicle
    let walkedWays: Double = !stay.cameInVehicle(self) ? 2 : leftInVehicle ? 0 : 1
    return dwell + Seconds(walkedWays * (rest + stay.bestSigma) / walking).nanosecondsClamped
  }

  /// The uncertainty of presence from a location near the centre, which depends on its distance and
  /// error: for this long the board may already have been leaving, or still arriving. Streets bend
  /// and people dawdle: half the walking speed in a straight line.
  func blur(over reach: Double) -> Int64 {
    Int64((rest + min(reach, 2 * coarse)) * 2 / walking * 1e9)
  }

  /// The travel time: on foot at first, faster the longer the distance (as the square root:
  /// 1.4 m/s up to 500 m, 6 m/s over 10 km, 20 m/s over 100 km from door to door).
  func travelTime(over distance: Double) -> Int64 {
    guard distance > 0 else { return 0 }
    let speed = walking * max(1, distance / 500).squareRoot()
    return Seconds(distance / speed).nanosecondsClamped
  }

  // MARK: Unobserved time

  func isUnwatched(from: Int64, to: Int64) -> Bool { to - from > silence }

  /// The departure: the last location near the centre if it was observed, else as late as the way
  /// to the next location allows.
  func departure(from stay: StayHypothesis, _ gone: Absence) -> Int64 {
    if let unseen = unseenDeparture(from: stay, gone) { return unseen.estimate.nanoseconds }
    guard isUnwatched(from: stay.last, to: gone.first), !(stay.lastSpeed > vehicle) else {
      return stay.core
    }
    // A single location before one far away: the board may have been anywhere in between.
    if !stay.isVisit, stay.centre.locations < 2, gone.distance > 1000 { return stay.core }
    return max(stay.core, gone.first - travelTime(over: gone.distance - rest))
  }

  /// Whether the location is too far away for the time since the board was last at the stay.
  func isOutOfReach(_ seen: PlanarLocation, from stay: StayHypothesis) -> Bool {
    let way = stay.distance(to: seen)
    let possible = Self.mostSpeed(over: way) * Double(seen.time - stay.last) / 1e9
    return way > possible + rest + 2 * seen.sigma + stay.bestSigma
  }

  private static func mostSpeed(over way: Double) -> Double {
    way < trainWay ? motorway : fastTrain
  }

  /// The departure of a board whose presence was only inferred, and that was then seen out of
  /// reach; nil: its presence was observed, or its speed is possible.
  func unseenDeparture(from stay: StayHypothesis, _ gone: Absence) -> TimeEstimate? {
    gone.isOutOfReach && stay.isUnseen
      ? departure(fromUnseen: stay, foundAfter: gone.distance, at: gone.first) : nil
  }

  /// The departure of a board that was assumed to rest without signal, and is found too far away
  /// for that: after its last location there, and in time for the way. The estimate is as late as a
  /// usual speed allows, unless that contradicts a larger part of the time without signal: then
  /// that time is disregarded.
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

  /// The arrival, if it was first seen at `first` after an unobserved time that began at speed: at
  /// the end of the trip. Nil: the arrival was observed, or nothing is known.
  func arrival(at first: Int64, distance: Double, from before: PlanarLocation) -> Int64? {
    guard isUnwatched(from: before.time, to: first), before.speed > vehicle else { return nil }
    return min(first, before.time + travelTime(over: distance - rest))
  }

  // MARK: Assessment

  /// Whether a stay that ends then was long enough, and not spent waiting for transport.
  func isVisit(_ stay: StayHypothesis, until departure: Int64, _ gone: Absence?) -> Bool {
    departure - stay.arrival >= shortestVisit(of: stay, gone) && !isWait(stay, until: departure)
  }

  /// Whether there is better evidence than coarse locations, which cannot distinguish rest from
  /// movement within their error.
  func isSeen(_ stay: StayHypothesis) -> Bool {
    !stay.centre.isCoarse || stay.proven >= dwell / 2
  }

  /// Whether the board came on foot and rode off from the same place: a bus stop, a platform. An
  /// arrival and a departure by vehicle mean parking, which is a visit. So is a monitored rest:
  /// people who wait stand on their feet, and a sensor detects that. A recording's first stay has
  /// no observed arrival, and is no wait.
  private func isWait(_ stay: StayHypothesis, until departure: Int64) -> Bool {
    stay.leftByVehicle && departure - stay.arrival < wait && stay.watched < dwell / 2
      && stay.hasComeThere && !stay.cameInVehicle(self)
  }

  /// Longer stays and more locations are more certain: half at the minimum dwell with many
  /// locations. Unobserved time does not count.
  func confidence(of time: Seconds, unwatched: Seconds, locations: Int) -> Double {
    let time = max(0, time.value)
    let length = time / (time + settings.minDwell.value)
    let watched = time > 0 ? max(0, 1 - unwatched.value / time) : 1
    return length * watched * (1 - 1 / Double(locations + 1))
  }
}
