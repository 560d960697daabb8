import Quantities
import Records

/// From wishes to switching: the second half of every step.
extension Tracker {
  mutating func decide(at now: BootInstant, into effects: inout [Effect]) {
    if rhythm.isSilent(at: now) { lastAccepted = nil }
    let demand = wanted(at: now)
    reason = demand.reason
    switch (session, demand.wish) {
    case (nil, .on): open(at: now, because: demand.reason, into: &effects)
    case (nil, .off(let until)):
      insistOnRest(at: now, into: &effects)
      reviewRest(until: until, at: now, into: &effects)
    default: reconsider(demand, at: now, into: &effects)
    }
    listenForCoarse(at: now, into: &effects)
    requestWake(for: wanted(at: now), at: now, into: &effects)
  }

  /// What could not be switched off is tried again: nothing empties a battery faster.
  private mutating func insistOnRest(at now: BootInstant, into effects: inout [Effect]) {
    guard switchOffBackOff.failures > 0 else { return }
    let what = rest == .sleeping ? "put to sleep" : "switched off"
    reason = "cannot be \(what); it is tried again and again"
    guard let due = switchOffBackOff.until, now >= due else { return }
    switchOffBackOff.retry()
    effects.append(.power(rest.powerState))
  }

  /// Either GNSS or the significant-location source is active, never both (section 2.2 (1)).
  private mutating func listenForCoarse(at now: BootInstant, into effects: inout [Effect]) {
    guard settings.hasCoarseSource, session == nil, !isStopping, now >= nextAsking else { return }
    scanAsked = now
    effects.append(.scan)
  }

  /// When the coarse source is to be asked, or asked again.
  private var nextAsking: BootInstant {
    scanAsked.map { $0 + settings.coarse.askAgainAfter } ?? nextScan
  }

  /// The policy's demand, unless a command, the end of the daemon or the back-off overrules it.
  private func wanted(at now: BootInstant) -> GnssDemand {
    if isStopping { return GnssDemand(.off(until: nil), reason: "the daemon ends") }
    guard settings.hasReceiver else {
      return GnssDemand(.off(until: nil), reason: "no receiver is set up")
    }
    let demand =
      switch gnssOverride {
      case .on: GnssDemand(.on, reason: "switched on by command")
      case .off: GnssDemand(.off(until: nil), reason: "switched off by command")
      case .auto: policy.demand(at: now)
      }
    guard session == nil else { return demand }
    return delayed(demand, at: now)
  }

  /// The demand as the switch's failures and the sky allow it.
  private func delayed(_ demand: GnssDemand, at now: BootInstant) -> GnssDemand {
    guard let pause = pause(at: now) else { return demand }
    switch demand.wish {
    case .off(nil): return demand
    case .off(let own?) where own > pause.until: return demand
    case .on, .off: return GnssDemand(.off(until: pause.until), reason: pause.reason)
    }
  }

  /// Until when it makes no sense to switch on, and why; nil when it may.
  private func pause(at now: BootInstant) -> (until: BootInstant, reason: String)? {
    if let until = switchOnBackOff.until, now < until {
      return (until, "the switch failed: waiting before attempt \(switchOnBackOff.failures + 1)")
    }
    if givesUp, let until = acquisition.backedOffUntil, now < until {
      return (until, "no sky: search \(acquisition.failures) failed, waiting before the next")
    }
    return nil
  }

  /// A receiver that is always wanted is also searched with for ever.
  private var givesUp: Bool { settings.policy != .continuous && gnssOverride != .on }

  private mutating func open(
    at now: BootInstant, because why: String, into effects: inout [Effect]
  ) {
    let on = clock.utc(at: now)
    let opened = GnssSession(id: nextSessionID, on: on)
    nextSessionID += 1
    session = opened
    sessionStarted = now
    counters.sessions += 1
    switchOffBackOff.succeeded()
    lastAccepted = nil
    idle = nil
    rhythm.begin()
    satellitesInView = nil
    let isColdReset = acquisition.takeColdReset()
    acquisition.switchedOn(at: now)
    perception.poweredOn(at: now)
    effects.append(.power(.on))
    if isColdReset { restartCold(at: now, into: &effects) }
    effects.append(.note(Note("gnss-on", why)))
    effects.append(.store(.session(opened)))
  }

  private func restartCold(at now: BootInstant, into effects: inout [Effect]) {
    effects.append(.restart(.cold))
    note(
      "cold-reset",
      "\(acquisition.stuckSearches) searches failed with satellites in view: the receiver starts "
        + "with nothing remembered",
      level: .warning, at: now, into: &effects)
  }

  /// The receiver is on: may it, must it, go off?
  private mutating func reconsider(
    _ demand: GnssDemand, at now: BootInstant, into effects: inout [Effect]
  ) {
    if givesUp, acquisition.isHopeless(at: now, satellitesInView: satellitesInView) {
      return giveUp(demand, at: now, into: &effects)
    }
    guard case .off(let until) = demand.wish else { return idle = nil }
    if !isStopping, gnssOverride != .off, acquisition.holdUntil(at: now) != nil,
      willKeepEphemeris(until: until, at: now)
    {
      reason = "gathering ephemeris after a cold lock"
      return
    }
    if staysOn(until: until, at: now) {
      reason = idle?.reason ?? reason
      return
    }
    let isSatisfied = gnssOverride == .auto && !isStopping
    close(isSatisfied ? .satisfied : .stopped, until: until, at: now, into: &effects)
  }

  /// No fix comes any more, or none came.
  private mutating func giveUp(
    _ demand: GnssDemand, at now: BootInstant, into effects: inout [Effect]
  ) {
    if idle != nil, case .off(let until) = demand.wish {
      // Left on because a lock cost nothing to keep; it is lost, and nobody waits for it.
      return close(.satisfied, until: until, at: now, into: &effects)
    }
    let fixless = acquisition.fixlessSince ?? sessionStarted
    let pause = acquisition.gaveUp(at: now, satellitesInView: satellitesInView)
    policy.searchFailed(at: now)
    counters.searchesFailed += 1
    note(
      "search-failed",
      "no fix in \(Int((now - fixless).value)) s with \(satellitesInView ?? 0) satellites "
        + "in view; next search in \(Int(pause.value)) s at the soonest",
      at: now, into: &effects)
    var until: BootInstant? = now + pause
    if case .off(let wish) = delayed(policy.demand(at: now), at: now).wish { until = wish }
    close(.timedOut, until: until, at: now, into: &effects)
    reason = "no sky"
  }

  /// - Parameter until: when GNSS is wanted again, as far as it is known.
  mutating func close(
    _ outcome: GnssSession.Outcome, until: BootInstant?, at now: BootInstant,
    into effects: inout [Effect]
  ) {
    guard var closed = session else { return }
    let off = clock.utc(at: now)
    // The date may have become known only within the session.
    closed.on = clock.utc(at: sessionStarted) ?? closed.on
    closed.off = off
    closed.duration = now - sessionStarted
    closed.outcome = outcome
    acquisition.switchedOff(at: now)
    lieDown(after: outcome, until: until, at: now, into: &effects)
    session = nil
    lastAccepted = nil
    effects.append(.note(Note("gnss-off", outcome.rawValue)))
    effects.append(.store(.session(closed)))
    storeRejections(at: now, into: &effects)
  }

  /// One line of the decision log for all of a session: a receiver rejects by the second.
  private mutating func storeRejections(at now: BootInstant, into effects: inout [Effect]) {
    guard !sessionRejections.isEmpty else { return }
    let causes = sessionRejections.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
    sessionRejections = [:]
    effects.append(.store(.event(Note("fixes-rejected", causes), time: clock.utc(at: now))))
  }

  private mutating func requestWake(
    for demand: GnssDemand, at now: BootInstant, into effects: inout [Effect]
  ) {
    var candidates: [BootInstant] = []
    if session != nil {
      if givesUp {
        candidates += [acquisition.deadline, acquisition.hopelessCheck].compactMap { $0 }
      }
      if let hold = acquisition.holdUntil(at: now) { candidates.append(hold) }
      if lastAccepted != nil {
        rhythm.plan(at: now)
        if let check = rhythm.check { candidates.append(check) }
      }
      if idle != nil, case .off(let until?) = demand.wish { candidates.append(until) }
    } else {
      if case .off(let until?) = demand.wish { candidates.append(until) }
      if settings.hasCoarseSource, !isStopping { candidates.append(nextAsking) }
      if let retry = switchOffBackOff.until, !isStopping { candidates.append(retry) }
    }
    let next = candidates.filter { $0 > now }.min()
    guard next != requestedWake else { return }
    requestedWake = next
    effects.append(.wake(at: next))
  }
}
