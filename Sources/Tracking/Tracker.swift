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
  private var whereabouts: PositionState
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
    demands = Demands(settings)
    search = GnssSearch(
      settings.acquisition, receiver: settings.receiver, lastID: lastSessionID)
    lowPower = LowPowerPlanner(
      settings.power, model: settings.receiver,
      maxRetryPause: settings.acquisition.maxBackOff)
    whereabouts = PositionState(
      settings, keepsShape: demands.keepsShape(at: .zero), lastVisitID: lastVisitID,
      lastDestinationID: lastDestinationID, destinations: destinations)
  }

  // MARK: What is known

  /// Whether somebody wants to hear what the receiver says.
  public var isListening: Bool { search.isOn }
  public var session: GnssSession? { search.record }
  /// How the receiver spends the time while it is not wanted; nil while it is.
  public var lowPowerPlan: LowPowerPlan? { lowPower.plan }
  public var policyName: String { settings.policy.name }
  public var nextWake: BootInstant? { wake }
  public var lastGnss: Location? { whereabouts.pipeline.lastGnss }
  /// The newest location of the coarse sources that was believed.
  public var lastCoarse: Location? { whereabouts.coarse.newest }
  public var destinations: [Destination] { whereabouts.pipeline.destinations }
  /// Cheaper than the visit, for which its destination is looked for.
  public var openVisitID: Int64? { whereabouts.pipeline.openVisitID }
  public var openVisit: Visit? { whereabouts.pipeline.openVisit }
  /// What became of each source of evidence.
  public var sources: [SourceHealth] { whereabouts.standings }
  public var belief: MotionEstimator { context.belief }
  public var sighting: Sighting { whereabouts.sighting }
  /// What the user wants of GNSS until further notice.
  public var order: PersistentGnssCommand { demands.order }
  /// What energy may be used; nil: there is no limit.
  public var budget: EnergyBudget? { demands.budget }
  /// What that buys at present.
  public var bought: AffordableRates? { demands.bought(in: context) }

  /// Whether it waits for `woke`, which is to come once everybody has spoken.
  public func awaitsDemands(at now: BootInstant) -> Bool { demands.awaitsDemands(at: now) }

  /// Why the receiver is not told to start again now; nil: it can be.
  public func objectionToRestart(at now: BootInstant) -> String? {
    let demand = wanted(at: now)
    return search.isOn && demand.wish == .on ? nil : demand.reason
  }

  // MARK: What happens

  public mutating func step(_ event: Event, at now: BootInstant) -> [Effect] {
    taken(at: now) { tracker, turn in
      tracker.keepDeadlines(&turn)
      tracker.hear(event, &turn)
      tracker.whereabouts.recordRest(session: tracker.search.sessionID, &turn)
      tracker.decide(&turn)
      tracker.lowPower.tellPause(&turn)
    }
  }

  /// One turn, with the clock and the counters as they are after it.
  private mutating func taken(
    at now: BootInstant, _ body: (inout Tracker, inout Turn) -> Void
  ) -> [Effect] {
    var turn = Turn(at: now, clock: clock, counters: counters)
    body(&self, &turn)
    clock = turn.clock
    counters = turn.counters
    updateActivity()
    return turn.effects
  }

  private mutating func updateActivity() {
    activity.update(
      search, whereabouts.coarse, isAlwaysOn: settings.hasReceiver && !lowPower.canRest)
  }

  /// Whatever happens at the moment of the wake, or before it is told: what was due is done first.
  private mutating func keepDeadlines(_ turn: inout Turn) {
    if let wake, turn.now >= wake { whereabouts.timePassed(at: turn.now) }
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
    case .evidence(let evidence, let source):
      if case .ignition(let isOn) = evidence { demands.externallySupplied(isOn, at: turn.now) }
      guard whereabouts.heard(evidence, from: source, at: turn.now) else { return }
      search.endPause(at: turn.now)
      demands.endPause()
    case .woke: demands.woke()
    case .powerReached: if search.isOn { lowPower.switchedOn() } else { lowPower.poweredDown() }
    case .powerFailed(let why): powerFailed(why, &turn)
    case .receiver(let state): activity.reached(state)
    case .scanFailed(let source, let why): whereabouts.scanFailed(source, why, &turn)
    case .sleepUnavailable(let why): lowPower.sleepUnavailable(why, search: &search, &turn)
    case .learnt(let means): lowPower.learn(means, search: &search)
    case .measured(let model): lowPower.learn(model)
    case .drawn(let total, let sources):
      demands.drawn(lowPower.draw(total, sources: sources), at: turn.now, in: context)
    case .battery(let reading): demands.read(reading, at: turn.now)
    case .command(.gnss(let wanted)): ordered(wanted, &turn)
    case .command(.restart(let kind)): restart(kind, &turn)
    case .restartFailed(let why): search.restartFailed(why, &turn)
    case .demand(let name, let demand): demands.demanded(demand, by: name)
    case .places(let targets, let box): demands.found(targets, within: box, at: turn.now)
    case .stopping:
      demands.stop()
      whereabouts.finish(session: search.sessionID, &turn)
    }
  }

  private mutating func ordered(_ wanted: GnssOverride, _ turn: inout Turn) {
    demands.ordered(PersistentGnssCommand(wanted, since: turn.clock.utc(at: turn.now)))
    search.forgetBackOff()
    lowPower.forgetBackOff()
    turn.log(.command, "gnss \(wanted.rawValue)")
  }

  /// Nobody waits for a search that would be broken off at once.
  private mutating func restart(_ kind: RestartKind, _ turn: inout Turn) {
    guard objectionToRestart(at: turn.now) == nil else { return }
    turn.log(.command, "gnss restart \(kind.rawValue)")
    search.restart(kind, &turn)
    whereabouts.poweredOn(at: turn.now)
    demands.sessionEnded(at: turn.now)
  }

  private mutating func powerFailed(_ why: String, _ turn: inout Turn) {
    turn.log(.switchFailed, why, level: .warning)
    guard search.isOn else { return lowPower.powerDownFailed(search: &search, &turn) }
    close(.failed, until: lowPower.powerOnFailed(at: turn.now), &turn)
  }

  // MARK: Locations

  private mutating func take(_ fix: Fix, _ turn: inout Turn) {
    guard search.takes(fix, &turn) else { return }
    switch whereabouts.take(fix, &turn) {
    case .refused(let reason):
      if search.refused(fix, reason, &turn) { whereabouts.searching(search, at: fix.received) }
    case .accepted(let location, let outcome):
      search.accepted(at: fix.received, &turn)
      let purpose = demands.gnssLocation(location, at: turn.now, in: context)
      let session = search.sessionID
      whereabouts.trace(location, outcome, for: purpose, session: session, &turn)
      whereabouts.record(outcome, session: session, &turn)
    }
  }

  private mutating func take(
    _ answer: CoarseObservation, from source: String, _ turn: inout Turn
  ) {
    guard let believed = whereabouts.take(answer, from: source, &turn) else { return }
    // A new place is a new sky.
    search.forgetBackOff()
    demands.skyChanged()
    let isWanted = demands.coarseLocation(believed.location, at: turn.now, in: context)
    if isWanted, believed.isKept {
      turn.store(.trackPoint(TrackPoint(location: believed.location, reason: .coarse)))
    }
    whereabouts.located(coarsely: believed.location, session: search.sessionID, &turn)
  }

  // MARK: From wishes to switching

  private mutating func decide(_ turn: inout Turn) {
    search.checkSilence(at: turn.now)
    demands.checkDeadlines(in: context, &turn)
    demands.findPlaces(&turn)
    let keepsShape = demands.keepsShape(at: turn.now) || listensAllTheTime
    whereabouts.become(keepingShape: keepsShape, &turn)
    let demand = wanted(at: turn.now)
    reason = demand.reason
    switch (search.isOn, demand.wish) {
    case (false, .on):
      whereabouts.poweredOn(at: turn.now)
      lowPower.powerOn(&turn)
      search.open(because: demand.reason, &turn)
    case (false, .off(let until)):
      reason = lowPower.retryPowerDown(until: until, &turn) ?? reason
      lowPower.replan(until: until, search: &search, &turn)
    case (true, _): reconsider(demand, &turn)
    }
    // Either GNSS or the significant-location source is active, never both (section 2.2 (1)).
    if !search.isOn, !demands.isEnding {
      whereabouts.ask(&turn, answersDue: demands.coarseDue(in: context))
    }
    requestWake(for: wanted(at: turn.now), &turn)
  }

  /// What is demanded, as far as the switch and the sky allow it.
  private func wanted(at now: BootInstant) -> GnssDemand {
    if listensAllTheTime, lowPower.pause(at: now) == nil {
      return demands.demandOfUnswitched
    }
    return search.isOn ? demands.demand(at: now, in: context) : wantedNext(at: now)
  }

  /// Whether not listening would save nothing.
  private var listensAllTheTime: Bool { !lowPower.canRest && !demands.isVetoed }

  private func givesUpSearching(at now: BootInstant) -> Bool {
    demands.givesUpSearching(at: now) && lowPower.canRest
  }

  /// What is demanded of the next session.
  private func wantedNext(at now: BootInstant) -> GnssDemand {
    demands.demand(at: now, in: context, after: search, switchPause: lowPower.pause(at: now))
  }

  private var context: TrackingContext { whereabouts.context(clock) }

  /// The receiver is on: may it, must it, go off?
  private mutating func reconsider(_ demand: GnssDemand, _ turn: inout Turn) {
    if givesUpSearching(at: turn.now), search.hasNoChance(at: turn.now, worth: demand.worth) {
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
    close(demands.isAutomatic && search.hasHadFix ? .fixObtained : .stopped, until: until, &turn)
  }

  /// No fix comes any more, or none came.
  private mutating func giveUp(_ demand: GnssDemand, _ turn: inout Turn) {
    if lowPower.plan != nil, case .off(let until) = demand.wish {
      // Left on because a fix cost nothing to keep; it is lost, and nobody waits for it.
      return close(.fixObtained, until: until, &turn)
    }
    let pause = search.failed(&turn)
    whereabouts.searchFailed(search, &turn)
    demands.searchFailed(at: turn.now)
    var until: BootInstant? = turn.now + pause
    if case .off(let wish) = wantedNext(at: turn.now).wish { until = wish }
    close(.noFix, until: until, &turn)
    reason = "no sky"
  }

  /// - Parameter until: when GNSS is wanted again, as far as it is known.
  private mutating func close(
    _ outcome: GnssSession.Outcome, until: BootInstant?, _ turn: inout Turn
  ) {
    updateActivity()
    search.switchedOff(at: turn.now)
    lowPower.powerDown(after: outcome, until: until, search: &search, &turn)
    search.close(outcome, &turn)
    demands.sessionEnded(at: turn.now)
  }

  private mutating func requestWake(for demand: GnssDemand, _ turn: inout Turn) {
    var candidates = search.planChecks(givesUp: givesUpSearching(at: turn.now), at: turn.now)
    let until: BootInstant? = if case .off(let until) = demand.wish { until } else { nil }
    if search.isOn {
      if lowPower.plan != nil, let until { candidates.append(until) }
      let own = [
        demands.nextDeadline(in: context, at: turn.now), whereabouts.beliefDue(after: turn.now),
      ]
      candidates += own.compactMap { $0 }
    } else {
      let own = [lowPower.retryOff, whereabouts.due(after: turn.now)]
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
    SavedState(
      search, whereabouts.pipeline, whereabouts.coarse, clock, context.belief,
      budget: demands.budgetSnapshot, order: demands.order, lineEnd: whereabouts.lineEnd, at: now
    ).json
  }

  /// Goes on from what an earlier run left, as far as it can be understood.
  public mutating func restore(_ text: String, at now: BootInstant) -> [Effect] {
    taken(at: now) { tracker, turn in
      guard let saved = SavedState(text, &turn) else { return }
      tracker.restore(saved, &turn)
      tracker.search.restore(saved.search)
      tracker.whereabouts.restoreAccessPoints(saved.coarse)
      tracker.whereabouts.restoreBelief(saved.belief)
      tracker.whereabouts.restoreVisits(saved.pipeline)
    }
  }

  private mutating func recall(
    _ state: String?, _ destinations: [Destination], _ turn: inout Turn
  ) {
    let saved = state.flatMap { SavedState($0, &turn) }
    if let saved {
      restore(saved, &turn)
      if turn.counters.fixesAccepted == 0 {
        search.restore(saved.search)
        whereabouts.restoreAccessPoints(saved.coarse)
        whereabouts.restoreBelief(saved.belief)
      }
    }
    whereabouts.recall(destinations, saved?.pipeline, session: search.sessionID, &turn)
  }

  /// What an earlier run began and could not finish.
  private mutating func restore(_ saved: SavedState, _ turn: inout Turn) {
    turn.clock.restore(saved.clock)
    demands.restoreBudget(saved.budget, at: turn.now)
    if demands.restoreOrder(saved.order), let reason = demands.order.reason {
      turn.log(.commandKept, "gnss is \(reason)", level: .warning)
    }
    if let end = saved.lineEnd { turn.store(.trackPoint(end)) }
    guard let session = saved.interruptedSession else { return }
    turn.store(.session(session))
    search.follow(session.id)
  }

  /// A tracker with other settings that goes on with this one's ids, places, date and hardware.
  /// `restore` then gives it what was learnt.
  public func reconfigured(_ settings: TrackerSettings) -> Tracker {
    let pipeline = whereabouts.pipeline
    var tracker = Tracker(
      settings: settings, lastSessionID: search.lastID, lastVisitID: pipeline.nextVisitID - 1,
      lastDestinationID: pipeline.lastDestinationID, destinations: pipeline.destinations)
    tracker.clock = clock
    tracker.counters = counters
    tracker.demands.inherit(from: demands)
    tracker.lowPower.inherit(
      from: lowPower, isSameReceiver: settings.receiver == self.settings.receiver)
    tracker.search.inherit(from: search)
    tracker.whereabouts.inherit(from: whereabouts)
    tracker.activity = activity
    tracker.updateActivity()
    return tracker
  }

  /// Goes on in a store whose ids are not this run's.
  public mutating func renumber(by shift: Renumbering) {
    search.renumber(by: shift)
    whereabouts.renumber(by: shift)
  }

  /// What a store has to know for the records to come: destinations, the open visit and session.
  public var standing: [Record] {
    whereabouts.standing + [session.map { .session($0) }].compactMap { $0 }
  }
}
