import Geodesy
import Quantities
import ReceiverProtocols
import Records

/// From fixes and coarse locations to visits and trajectory.
extension Tracker {
  mutating func take(_ fix: Fix, at now: BootInstant, into effects: inout [Effect]) {
    guard session != nil else {
      counters.fixesLate += 1
      return
    }
    satellitesInView = fix.satellitesInView ?? satellitesInView
    rhythm.heard(at: now)
    guard isDateBelieved(of: fix, at: now, into: &effects) else {
      return refused(fix, .implausibleDate)
    }
    let outcome = perception.take(fix)
    if let rejection = outcome.rejection { return refused(fix, rejection) }
    guard let sighting = outcome.sighting else { return }
    clock.receiverTime(sighting.time, at: fix.received)
    accepted(sighting, at: now, into: &effects)
    record(outcome, into: &effects)
  }

  /// A fix without a place or a time is refused for that.
  private mutating func isDateBelieved(
    of fix: Fix, at now: BootInstant, into effects: inout [Effect]
  ) -> Bool {
    guard fix.hasPosition, let time = fix.time, time >= FixGate.firstTime,
      case .refused(let objection, let isNews) = clock.judge(time, received: fix.received)
    else { return true }
    if isNews {
      note("date-refused", objection.text, level: .warning, at: now, into: &effects)
    }
    return false
  }

  /// An epoch without a fix is no refusal: the receiver is still searching.
  private mutating func refused(_ fix: Fix, _ reason: RejectionReason) {
    if fix.hasPosition {
      counters.fixesRejected[reason, default: 0] += 1
      session?.fixesRejected += 1
      sessionRejections[reason, default: 0] += 1
    } else {
      counters.epochsWithoutFix += 1
      lastAccepted = nil
    }
  }

  private mutating func accepted(
    _ sighting: Sighting, at now: BootInstant, into effects: inout [Effect]
  ) {
    counters.fixesAccepted += 1
    session?.fixesAccepted += 1
    lastAccepted = now
    lastGnss = sighting
    if let timeToFirstFix = acquisition.locked(at: now) {
      session?.timeToFirstFix = timeToFirstFix
    }
    replaceCoarse(with: sighting, into: &effects)
    learnAccessPoint(at: sighting.place, now: now)
    if policy.gnssLocation(sighting, at: now) {
      effects.append(
        .store(
          .trackPoint(TrackPoint(sighting: sighting, reason: .scheduled, session: session?.id))))
    }
  }

  mutating func take(
    _ observation: CoarseObservation, at now: BootInstant, into effects: inout [Effect]
  ) {
    scanAsked = nil
    var observation = observation
    observation.time = observation.time ?? clock.utc(at: observation.received)
    if let name = observation.accessPoint { accessPoint = (name, observation.received) }
    switch coarseJudge.judge(observation, time: observation.time) {
    case .accurate(let sighting):
      locatedCoarsely(sighting, observation, at: now, into: &effects)
    case .keptUntilBetter(let sighting):
      let isKept = !gnssKnewBetter(than: sighting)
      if isKept { coarseToReplace = sighting }
      locatedCoarsely(sighting, observation, isKept: isKept, at: now, into: &effects)
    case .discarded(let why):
      counters.coarseDiscarded += 1
      note("coarse-discarded", why, at: now, into: &effects)
    }
  }

  private mutating func locatedCoarsely(
    _ sighting: Sighting, _ observation: CoarseObservation, isKept: Bool = true,
    at now: BootInstant, into effects: inout [Effect]
  ) {
    counters.coarseAccepted += 1
    effects.append(.store(.coarse(observation)))
    // A new place is a new sky.
    acquisition.forgetBackOff()
    if policy.coarseLocation(sighting, at: now), isKept {
      effects.append(.store(.trackPoint(TrackPoint(sighting: sighting, reason: .coarse))))
    }
    record(perception.take(coarse: sighting), into: &effects)
  }

  /// "We keep these locations unless we get a more accurate location, with a similar timestamp,
  /// using GPS" (section 2.2 (3)).
  private mutating func replaceCoarse(with sighting: Sighting, into effects: inout [Effect]) {
    guard let coarse = coarseToReplace else { return }
    coarseToReplace = nil
    guard (sighting.time - coarse.time).magnitude <= settings.coarse.similarTime,
      sighting.accuracy < coarse.accuracy
    else { return }
    effects.append(.store(.trackPointReplaced(time: coarse.time)))
  }

  /// The same rule for the GNSS location that came first: where it lies within the coarse one's
  /// error, the carrier may well still be there, and the coarse one would only bend the trajectory.
  private func gnssKnewBetter(than coarse: Sighting) -> Bool {
    guard let gnss = lastGnss else { return false }
    return (coarse.time - gnss.time).magnitude <= settings.coarse.similarTime
      && gnss.accuracy < coarse.accuracy
      && Sphere.distance(gnss.place, coarse.place) <= coarse.accuracy
  }

  private mutating func learnAccessPoint(at place: Coordinate, now: BootInstant) {
    guard let accessPoint, now - accessPoint.seen <= settings.coarse.similarTime else { return }
    coarseJudge.learn(accessPoint: accessPoint.name, at: place)
  }

  /// Everything that perception concluded, stored before it is told.
  mutating func record(_ outcome: PerceptionOutcome, into effects: inout [Effect]) {
    for change in outcome.visits {
      switch change {
      case .began(let visit):
        counters.visits += 1
        effects.append(.store(.visit(visit)))
      case .updated(let visit): effects.append(.store(.visit(visit)))
      case .ended(let visit): effects.append(.store(.visit(visit)))
      case .withdrawn(let id):
        counters.visits -= 1
        effects.append(.store(.visitWithdrawn(id: id)))
      }
    }
    for destination in outcome.destinations { effects.append(.store(.destination(destination))) }
    for sighting in outcome.shape where settings.policy == .continuous {
      effects.append(
        .store(.trackPoint(TrackPoint(sighting: sighting, reason: .shape, session: session?.id))))
    }
  }
}
