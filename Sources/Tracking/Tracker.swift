import Energy
import Notation
import Quantities
import ReceiverProtocols
import Records

/// The heart: takes in everything that happens and answers with what to do. It reads no clock,
/// waits for nothing, never fails and never logs.
///
/// A step has two halves: the event changes what is known, then `decide` compares what is wanted
/// with what the receiver does, and asks for the difference. Each part of that has a type of its
/// own; here is only who hears of what, and in which order.
public struct Tracker: Sendable {
  private let settings: TrackerSettings
  /// What is known of the date, and on whose word.
  public private(set) var clock = UTCClock()
  private var demands: Demands
  private var search: GnssSearch
  private var lowPower: LowPowerPlanner
  private var coarse: CoarseTracking
  private var pipeline: LocationPipeline
  private var belief: RestBelief
  private var wake: BootInstant?
  /// What the receiver is doing.
  public private(set) var activity = ReceiverActivity()
  public private(set) var counters = TrackerCounters()
  /// Why GNSS is on or off.
  public private(set) var reason = "not started"

  /// - Parameter identifiers: the highest ids in use, new ones go on from there.
  public init(
    settings: TrackerSettings, lastSessionID: Int64 = 0, lastVisitID: Int64 = 0,
    lastDestinationID: Int64 = 0, destinations: [Destination] = []
  ) {
    self.settings = settings
    demands = Demands(
      settings.policy.make(hasCoarseSource: !settings.coarseSources.isEmpty),
      hasReceiver: settings.hasReceiver,
      backOff: BackOff(
        first: settings.acquisition.firstBackOff, maxPause: settings.acquisition.maxBackOff))
    search = GnssSearch(
      settings.acquisition, receiver: settings.receiver, lastID: lastSessionID)
    lowPower = LowPowerPlanner(
      settings.power, model: settings.receiver,
      maxRetryPause: settings.acquisition.maxBackOff)
    coarse = CoarseTracking(settings.coarse, sources: settings.coarseSources)
    pipeline = LocationPipeline(
      settings.pipeline, nextVisitID: RecordIdentifier.following(lastVisitID),
      lastDestinationID: lastDestinationID, destinations: destinations)
    belief = RestBelief(
      sources: settings.evidenceSources, dwell: settings.pipeline.dwell.minDwell)
  }

  // MARK: What is known

  /// Whether somebody wants to hear what the receiver says.
  public var isListening: Bool { search.isOn }
  /// How the receiver spends the time while it is not wanted; nil while it is.
  public var lowPowerPlan: LowPowerPlan? { lowPower.plan }
  public var policyName: String { settings.policy.name }
  public var nextWake: BootInstant? { wake }
  public var lastGnss: Location? { pipeline.lastGnss }
  public var openVisit: Visit? { pipeline.openVisit }

  // MARK: What happens

  public mutating func step(_ event: Event, at now: BootInstant) -> [Effect] {
    taken(at: now) { tracker, turn in
      tracker.hear(event, &turn)
      tracker.recordRest(&turn)
      tracker.decide(&turn)
      tracker.lowPower.tellPause(&turn)
    }
  }

  /// One turn, with the clock as it is after it.
  private mutating func taken(
    at now: BootInstant, _ body: (inout Tracker, inout Turn) -> Void
  ) -> [Effect] {
    var turn = Turn(at: now, clock: clock)
    body(&self, &turn)
    clock = turn.clock
    activity.update(search, coarse)
    return turn.effects
  }

  private mutating func hear(_ event: Event, _ turn: inout Turn) {
    switch event {
    case .started(let date, let boot):
      turn.clock.started(system: date, boot: boot)
      demands.started(at: turn.now)
    case .systemDate(let date): turn.clock.heard(system: date)
    case .recalled(let state, let destinations): recall(state, destinations, &turn)
    case .fix(let fix): take(fix, &turn)
    case .coarse(let observation, let source): take(observation, from: source, &turn)
    case .evidence(let evidence, _): belief.heard(evidence, at: turn.now)
    case .woke: belief.timePassed(at: turn.now)
    case .powerReached: if search.isOn { lowPower.switchedOn() } else { lowPower.poweredDown() }
    case .powerFailed(let why): powerFailed(why, &turn)
    case .receiver(let state): activity.reached(state)
    case .scanFailed(let source, let why):
      turn.log("scan-failed", why, level: .warning)
      coarse.failed(source, at: turn.now)
      belief.lost(source)
    case .sleepUnavailable(let why): lowPower.sleepUnavailable(why, search: &search, &turn)
    case .learnt(let means): lowPower.learn(means, search: &search)
    case .measured(let model): lowPower.learn(model)
    case .command(.gnss(let wanted)): ordered(wanted, &turn)
    case .demand(let name, let demand): demands.demanded(demand, by: name)
    case .stopping:
      demands.stop()
      record(pipeline.finish(), &turn)
    }
  }

  private mutating func ordered(_ wanted: GnssOverride, _ turn: inout Turn) {
    demands.ordered(wanted)
    search.forgetBackOff()
    lowPower.forgetBackOff()
    turn.log("command", "gnss \(wanted.rawValue)")
  }

  private mutating func powerFailed(_ why: String, _ turn: inout Turn) {
    turn.log("power-failed", why, level: .warning)
    guard search.isOn else { return lowPower.powerDownFailed(search: &search, &turn) }
    close(.failed, until: lowPower.powerOnFailed(at: turn.now), &turn)
  }

  // MARK: Locations

  private mutating func take(_ fix: Fix, _ turn: inout Turn) {
    guard search.isOn else { return counters.countLateFix() }
    search.received(fix, at: turn.now)
    guard believesDate(of: fix, &turn) else { return refused(fix, .implausibleDate) }
    switch pipeline.take(fix, after: belief.unlocatedRest(at: fix.received)) {
    case .rejected(let reason): refused(fix, reason)
    case .accepted(let location, let outcome):
      turn.clock.receiverTime(location.time, at: fix.received)
      belief.located(location, at: turn.now)
      accepted(location, &turn)
      record(outcome, &turn)
    }
  }

  /// A fix without a position or a time is refused for that.
  private func believesDate(of fix: Fix, _ turn: inout Turn) -> Bool {
    guard fix.hasPosition, let time = fix.time, time >= FixGate.firstTime,
      case .refused(let objection, let isNews) = turn.clock.judge(time, received: fix.received)
    else { return true }
    if isNews { turn.log("date-refused", objection.text, level: .warning) }
    return false
  }

  /// An epoch without a fix is no refusal: the receiver is still searching.
  private mutating func refused(_ fix: Fix, _ reason: RejectionReason) {
    if fix.hasPosition {
      counters.countRejectedFix(reason)
      search.rejected(reason)
    } else {
      counters.countEpochWithoutFix()
      search.lostFix()
      belief.heard(search, at: fix.received)
    }
  }

  private mutating func accepted(_ location: Location, _ turn: inout Turn) {
    counters.countAcceptedFix()
    search.accepted(at: turn.now)
    coarse.located(by: location, &turn)
    if demands.gnssLocation(location, at: turn.now, in: context) {
      let point = TrackPoint(location: location, reason: .scheduled, session: search.sessionID)
      turn.store(.trackPoint(point))
    }
  }

  private mutating func take(
    _ answer: CoarseObservation, from source: String, _ turn: inout Turn
  ) {
    guard let believed = coarse.take(answer, from: source, gnss: lastGnss, &turn) else {
      return counters.countCoarse(isAccepted: false)
    }
    counters.countCoarse(isAccepted: true)
    turn.store(.coarse(believed.observation))
    // A new place is a new sky.
    search.forgetBackOff()
    let isWanted = demands.coarseLocation(believed.location, at: turn.now, in: context)
    if isWanted, believed.isKept {
      turn.store(.trackPoint(TrackPoint(location: believed.location, reason: .coarse)))
    }
    belief.located(believed.location, at: turn.now)
    record(pipeline.take(coarse: believed.location), &turn)
  }

  /// What the belief has found out about stays.
  private mutating func recordRest(_ turn: inout Turn) {
    for news in belief.takeNews() { record(pipeline.take(news, turn.clock), &turn) }
  }

  private mutating func record(_ outcome: LocationOutcome, _ turn: inout Turn) {
    for change in outcome.visits {
      counters.count(change)
      turn.store(change.record)
    }
    for destination in outcome.destinations { turn.store(.destination(destination)) }
    for location in outcome.shape where demands.keepsShape {
      turn.store(
        .trackPoint(TrackPoint(location: location, reason: .shape, session: search.sessionID)))
    }
  }

  // MARK: From wishes to switching

  private mutating func decide(_ turn: inout Turn) {
    search.checkSilence(at: turn.now)
    demands.checkDeadlines(in: context, &turn)
    let demand = wanted(at: turn.now)
    reason = demand.reason
    switch (search.isOn, demand.wish) {
    case (false, .on): open(because: demand.reason, &turn)
    case (false, .off(let until)):
      reason = lowPower.retryPowerDown(until: until, &turn) ?? reason
      lowPower.replan(until: until, search: &search, &turn)
    case (true, _): reconsider(demand, &turn)
    }
    // Either GNSS or the significant-location source is active, never both (section 2.2 (1)).
    if !search.isOn, !demands.isEnding { coarse.ask(&turn) }
    requestWake(for: wanted(at: turn.now), &turn)
  }

  /// What is demanded, as far as the switch and the sky allow it.
  private func wanted(at now: BootInstant) -> GnssDemand {
    search.isOn ? demands.demand(at: now, in: context) : wantedNext(at: now)
  }

  /// What is demanded of the next session.
  private func wantedNext(at now: BootInstant) -> GnssDemand {
    demands.demand(at: now, in: context, after: search, switchPause: lowPower.pause(at: now))
  }

  private var context: TrackingContext { TrackingContext(pipeline, belief) }

  private mutating func open(because why: String, _ turn: inout Turn) {
    let coldReset = search.open(&turn)
    counters.countSession()
    pipeline.poweredOn(at: turn.now)
    lowPower.powerOn(&turn)
    if let coldReset {
      turn.perform(.restart(.cold))
      turn.log("cold-reset", coldReset, level: .warning)
    }
    turn.journal("gnss-on", why)
    if let session = search.record { turn.store(.session(session)) }
  }

  /// The receiver is on: may it, must it, go off?
  private mutating func reconsider(_ demand: GnssDemand, _ turn: inout Turn) {
    if demands.givesUpSearching, search.hasNoChance(at: turn.now, worth: demand.worth) {
      return giveUp(demand, &turn)
    }
    guard case .off(let until) = demand.wish else { return lowPower.stayOn() }
    if !demands.isForcedOff {
      if search.isGatheringEphemeris(at: turn.now),
        lowPower.keepsEphemeris(until: until, of: search, at: turn.now)
      {
        reason = "gathering ephemeris after a cold start"
        return
      }
      if lowPower.leaveOn(until: until, search: search, at: turn.now) {
        reason = lowPower.plan?.reason ?? reason
        return
      }
    }
    close(demands.isAutomatic ? .fixObtained : .stopped, until: until, &turn)
  }

  /// No fix comes any more, or none came.
  private mutating func giveUp(_ demand: GnssDemand, _ turn: inout Turn) {
    if lowPower.plan != nil, case .off(let until) = demand.wish {
      // Left on because a fix cost nothing to keep; it is lost, and nobody waits for it.
      return close(.fixObtained, until: until, &turn)
    }
    let pause = search.failed(&turn)
    belief.looked(search.sky, at: turn.now)
    recordRest(&turn)
    demands.searchFailed(at: turn.now)
    counters.countFailedSearch()
    var until: BootInstant? = turn.now + pause
    if case .off(let wish) = wantedNext(at: turn.now).wish { until = wish }
    close(.noFix, until: until, &turn)
    reason = "no sky"
  }

  /// - Parameter until: when GNSS is wanted again, as far as it is known.
  private mutating func close(
    _ outcome: GnssSession.Outcome, until: BootInstant?, _ turn: inout Turn
  ) {
    activity.update(search, coarse)
    search.switchedOff(at: turn.now)
    lowPower.powerDown(after: outcome, until: until, search: &search, &turn)
    search.close(outcome, &turn)
    demands.sessionEnded()
  }

  private mutating func requestWake(for demand: GnssDemand, _ turn: inout Turn) {
    var candidates = search.planChecks(givesUp: demands.givesUpSearching, at: turn.now)
    let until: BootInstant? = if case .off(let until) = demand.wish { until } else { nil }
    if search.isOn {
      if lowPower.plan != nil, let until { candidates.append(until) }
      if let deadline = demands.nextDeadline(in: context, at: turn.now) {
        candidates.append(deadline)
      }
    } else {
      let own = [coarse.nextAsking, lowPower.retryOff, belief.due(after: turn.now)]
      candidates += ([until] + (demands.isEnding ? [] : own)).compactMap { $0 }
    }
    let next = candidates.filter { $0 > turn.now }.min()
    guard next != wake else { return }
    wake = next
    turn.perform(.wake(at: next))
  }
}

// MARK: Over a restart

extension Tracker {
  /// What survives a restart: the open visit, what was learnt of start times and access points, the
  /// back-off, and the session that was running. Else a fresh start is worth more.
  public func snapshot(at now: BootInstant) -> JSONValue {
    let lineEnd = demands.keepsShape ? pipeline.lineEnd : nil
    return SavedState(search, pipeline, coarse, clock, lineEnd: lineEnd, at: now).json
  }

  /// Goes on from what an earlier run left, as far as it can be understood.
  public mutating func restore(_ text: String, at now: BootInstant) -> [Effect] {
    taken(at: now) { tracker, turn in
      guard let saved = SavedState(text, &turn) else { return }
      tracker.restore(saved, &turn)
      tracker.search.restore(saved.search)
      tracker.coarse.restore(saved.coarse)
      if let visits = saved.pipeline { tracker.pipeline.restore(visits) }
    }
  }

  private mutating func recall(
    _ state: String?, _ destinations: [Destination], _ turn: inout Turn
  ) {
    let saved = state.flatMap { SavedState($0, &turn) }
    if let saved {
      restore(saved, &turn)
      if counters.fixesAccepted == 0 {
        search.restore(saved.search)
        coarse.restore(saved.coarse)
      }
    }
    record(pipeline.recall(destinations, saved?.pipeline), &turn)
  }

  /// What an earlier run began and could not finish.
  private mutating func restore(_ saved: SavedState, _ turn: inout Turn) {
    turn.clock.restore(saved.clock)
    if demands.keepsShape, let end = saved.lineEnd { turn.store(.trackPoint(end)) }
    guard let session = saved.interruptedSession else { return }
    turn.store(.session(session))
    search.follow(session.id)
  }

  /// A tracker with other settings that goes on with this one's ids, places, date and hardware.
  /// `restore` then gives it what was learnt.
  public func reconfigured(_ settings: TrackerSettings) -> Tracker {
    var tracker = Tracker(
      settings: settings, lastSessionID: search.lastID, lastVisitID: pipeline.nextVisitID - 1,
      lastDestinationID: pipeline.lastDestinationID, destinations: pipeline.destinations)
    tracker.clock = clock
    tracker.counters = counters
    tracker.demands.inherit(from: demands)
    tracker.lowPower.inherit(
      from: lowPower, isSameReceiver: settings.receiver == self.settings.receiver)
    tracker.search.inherit(from: search)
    tracker.coarse.inherit(from: coarse)
    tracker.activity = activity
    tracker.activity.update(tracker.search, tracker.coarse)
    return tracker
  }

  /// Goes on in a store whose ids are not this run's.
  public mutating func renumber(by shift: Renumbering) {
    search.renumber(by: shift)
    pipeline.renumber(by: shift)
  }

  /// What a store has to know for the records to come: the destinations, the visit that goes on,
  /// the session that runs.
  public var standing: [Record] {
    var records = pipeline.destinations.map { Record.destination($0) }
    if let visit = openVisit { records.append(.visit(visit)) }
    if let session = search.record { records.append(.session(session)) }
    return records
  }
}
