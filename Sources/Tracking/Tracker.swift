import Records
import Core
import GNSS

/// The core: it handles every event and returns the actions to take. It reads no clock, waits for
/// nothing, never fails and never logs.
///
/// A step has two halves: the event updates the state, then `ReceiverControl` compares the demand
/// with what the receiver does, and requests the difference. Each part of that has its own type;
/// this one only distributes events in the right order.
public struct Tracker: Sendable {
  private let settings: TrackerSettings
  /// The date, and its sources.
  public private(set) var clock = UTCClock()
  private var demands: Demands
  private var search: GnssSearch
  private var receiver: ReceiverControl
  private var positionState: PositionState
  private var wake: BootInstant?
  /// What the receiver is doing.
  public private(set) var activity = ReceiverActivity()
  public private(set) var counters = TrackerCounters()

  /// - Parameter identifiers: the highest ids in use; new ones follow them.
  public init(
    settings: TrackerSettings, lastSessionID: Int64 = 0, lastVisitID: Int64 = 0,
    lastDestinationID: Int64 = 0, destinations: [Destination] = []
  ) {
    self.settings = settings
    demands = Demands(settings)
    search = GnssSearch(
      settings.acquisition, receiver: settings.receiver, lastID: lastSessionID)
    receiver = ReceiverControl(settings)
    positionState = PositionState(
      settings, keepsShape: demands.keepsShape(at: .zero), lastVisitID: lastVisitID,
      lastDestinationID: lastDestinationID, destinations: destinations)
  }

  // MARK: State

  /// Whether the receiver's output is used.
  public var isListening: Bool { search.isOn }
  public var session: GnssSession? { search.record }
  /// Why GNSS is on or off.
  public var reason: String { receiver.reason }
  /// How the receiver spends the time without demand; nil while there is demand.
  public var lowPowerPlan: LowPowerPlan? { receiver.lowPowerPlan }
  public var policyName: String { settings.policy.name }
  public var nextWake: BootInstant? { wake }
  public var lastGnss: Location? { positionState.pipeline.lastGnss }
  /// The last accepted location of the coarse sources.
  public var lastCoarse: Location? { positionState.coarse.newest }
  public var destinations: [Destination] { positionState.pipeline.destinations }
  /// Cheaper than `openVisit`, which also searches for the destination.
  public var openVisitID: Int64? { positionState.pipeline.openVisitID }
  public var openVisit: Visit? { positionState.pipeline.openVisit }
  /// The reliability of each evidence source.
  public var sources: [SourceHealth] { positionState.sourceHealth }
  public var motion: MotionEstimator { context.motion }
  public var sighting: Sighting { positionState.sighting }
  /// The user's command for GNSS, valid until the next one.
  public var command: PersistentGnssCommand { demands.command }
  /// The energy budget; nil: there is no limit.
  public var budget: EnergyBudget? { demands.budget }
  /// The rates that the budget affords at present.
  public var affordable: AffordableRates? { demands.affordable(in: context) }

  /// Whether it waits for `woke`, which follows when all demanders have reacted.
  public func awaitsDemands(at now: BootInstant) -> Bool { demands.awaitsDemands(at: now) }

  /// Why the receiver cannot be restarted now; nil: it can.
  public func objectionToRestart(at now: BootInstant) -> String? {
    let demand = wanted(at: now)
    return search.isOn && demand.mode == .on ? nil : demand.reason
  }

  // MARK: Events

  public mutating func step(_ event: Event, at now: BootInstant) -> [Effect] {
    performStep(at: now) { tracker, step in
      tracker.keepDeadlines(&step)
      tracker.handle(event, &step)
      tracker.positionState.recordRest(session: tracker.search.sessionID, &step)
      tracker.decide(&step)
      tracker.receiver.announcePause(&step)
    }
  }

  /// One step, with the clock and counters as they are afterwards.
  private mutating func performStep(
    at now: BootInstant, _ body: (inout Tracker, inout TrackerStep) -> Void
  ) -> [Effect] {
    var step = TrackerStep(at: now, clock: clock, counters: counters)
    body(&self, &step)
    clock = step.clock
    counters = step.counters
    updateActivity()
    return step.effects
  }

  private mutating func updateActivity() {
    activity.update(
      search, positionState.coarse, isAlwaysOn: settings.hasReceiver && !receiver.canRest)
  }

  /// Deadlines are handled before the event of this step, at or after the moment of the wake.
  private mutating func keepDeadlines(_ step: inout TrackerStep) {
    if let wake, step.now >= wake { positionState.timePassed(at: step.now) }
  }

  private mutating func handle(_ event: Event, _ step: inout TrackerStep) {
    switch event {
    case .started(let date, let boot):
      step.clock.started(system: date, boot: boot)
      demands.started(at: step.now)
    case .systemDate(let date): step.clock.update(system: date)
    case .recalled(let state, let destinations): recall(state, destinations, &step)
    case .fix(let fix): handle(fix, &step)
    case .coarse(let observation, let source): handle(observation, from: source, &step)
    case .evidence(let evidence, let source):
      if case .ignition(let isOn) = evidence { demands.externallySupplied(isOn, at: step.now) }
      guard positionState.handle(evidence, from: source, at: step.now) else { return }
      search.endPause(at: step.now)
      demands.endPause()
    case .woke: demands.woke()
    case .powerReached, .powerFailed, .sleepUnavailable, .learnt, .measured:
      follow(receiver.handle(event, &search, &step), &step)
    case .receiver(let state): activity.reached(state)
    case .scanFailed(let source, let why): positionState.scanFailed(source, why, &step)
    case .drawn(let total, let sources):
      demands.drawn(receiver.draw(total, sources: sources), at: step.now, in: context)
    case .battery(let reading): demands.read(reading, at: step.now)
    case .command(.gnss(let wanted)): commanded(wanted, &step)
    case .command(.restart(let kind)): restart(kind, &step)
    case .restartFailed(let why): search.restartFailed(why, &step)
    case .demand(let name, let demand): demands.demanded(demand, by: name)
    case .places(let targets, let box): demands.found(targets, within: box, at: step.now)
    case .stopping:
      demands.stop()
      positionState.finish(session: search.sessionID, &step)
    }
  }

  private mutating func commanded(_ wanted: GnssOverride, _ step: inout TrackerStep) {
    demands.commanded(PersistentGnssCommand(wanted, since: step.clock.utc(at: step.now)))
    search.forgetBackOff()
    receiver.forgetBackOff()
    step.log(.command, "gnss \(wanted.rawValue)")
  }

  /// A restart is refused where the new search would be ended at once.
  private mutating func restart(_ kind: RestartKind, _ step: inout TrackerStep) {
    guard objectionToRestart(at: step.now) == nil else { return }
    step.log(.command, "gnss restart \(kind.rawValue)")
    search.restart(kind, &step)
    positionState.poweredOn(at: step.now)
    demands.sessionEnded(at: step.now)
  }

  // MARK: Locations

  private mutating func handle(_ fix: Fix, _ step: inout TrackerStep) {
    guard search.handle(fix, &step) else { return }
    switch positionState.handle(fix, &step) {
    case .refused(let reason):
      if search.refused(fix, reason, &step) { positionState.searching(search, at: fix.received) }
    case .accepted(let location, let outcome):
      step.perform(.located(location))
      search.accepted(at: fix.received, &step)
      let purpose = demands.gnssLocation(location, at: step.now, in: context)
      let session = search.sessionID
      positionState.trace(location, outcome, for: purpose, session: session, &step)
      positionState.record(outcome, session: session, &step)
    }
  }

  private mutating func handle(
    _ answer: CoarseObservation, from source: String, _ step: inout TrackerStep
  ) {
    guard let believed = positionState.handle(answer, from: source, &step) else { return }
    // Reception may be different at a new place.
    search.forgetBackOff()
    demands.receptionChanged()
    let isWanted = demands.coarseLocation(believed.location, at: step.now, in: context)
    if isWanted, believed.isKept {
      step.store(.trackPoint(TrackPoint(location: believed.location, reason: .coarse)))
    }
    positionState.located(coarsely: believed.location, session: search.sessionID, &step)
  }

  // MARK: From demands to switching

  private mutating func decide(_ step: inout TrackerStep) {
    search.checkSilence(at: step.now)
    // If the session is closed below, the receiver stays in the state that it has now.
    updateActivity()
    demands.checkDeadlines(in: context, &step)
    demands.findPlaces(&step)
    let keepsShape = demands.keepsShape(at: step.now) || receiver.listensAllTheTime(for: demands)
    positionState.become(keepingShape: keepsShape, &step)
    let demand = wanted(at: step.now)
    follow(receiver.follow(demand, of: demands, &search, &step), &step)
    // Either GNSS or the significant-location source is active, never both (section 2.2 (1)).
    if !search.isOn, !demands.isEnding {
      positionState.request(&step, answersDue: demands.coarseDue(in: context))
    }
    requestWake(for: wanted(at: step.now), &step)
  }

  private func wanted(at now: BootInstant) -> GnssDemand {
    receiver.wanted(by: demands, search, in: context, at: now)
  }

  private var context: TrackingContext { positionState.context(clock) }

  /// Passes on what has become of the session.
  private mutating func follow(_ change: ReceiverControl.Change, _ step: inout TrackerStep) {
    switch change {
    case .unchanged: break
    case .opened: positionState.poweredOn(at: step.now)
    case .closed: demands.sessionEnded(at: step.now)
    case .searchFailed(let pause): giveUp(pause: pause, &step)
    }
  }

  /// - Parameter pause: how long the next search has to wait for reception.
  private mutating func giveUp(pause: Seconds, _ step: inout TrackerStep) {
    positionState.searchFailed(search, &step)
    demands.searchFailed(at: step.now)
    var until: BootInstant? = step.now + pause
    let next = receiver.wantedNext(by: demands, after: search, in: context, at: step.now)
    if case .off(let wish) = next.mode { until = wish }
    follow(receiver.close(.noFix, until: until, &search, &step), &step)
  }

  private mutating func requestWake(for demand: GnssDemand, _ step: inout TrackerStep) {
    var candidates = receiver.planChecks(demand, of: demands, &search, at: step.now)
    if search.isOn {
      let own = [
        demands.nextDeadline(in: context, at: step.now), positionState.motionDue(after: step.now),
      ]
      candidates += own.compactMap { $0 }
    } else if !demands.isEnding, let due = positionState.due(after: step.now) {
      candidates.append(due)
    }
    let next = candidates.filter { $0 > step.now }.min()
    guard next != wake else { return }
    wake = next
    step.perform(.wake(at: next))
  }
}

// MARK: Over a restart

extension Tracker {
  /// What survives a restart: the open visit, learnt start times and access points, the back-off,
  /// and the session in progress. Everything else is better started afresh.
  public func snapshot(at now: BootInstant) -> JSONValue {
    SavedState(
      search, positionState.pipeline, positionState.coarse, clock, context.motion,
      budget: demands.budgetSnapshot, order: demands.command, lineEnd: positionState.lineEnd,
      at: now
    ).json
  }

  /// Continues from the state of an earlier run, as far as it can be decoded.
  public mutating func restore(_ text: String, at now: BootInstant) -> [Effect] {
    performStep(at: now) { tracker, step in
      guard let saved = SavedState(text, &step) else { return }
      saved.restore(&tracker.demands, &tracker.search, &step)
      tracker.search.restore(saved.search)
      tracker.positionState.restoreAccessPoints(saved.coarse)
      tracker.positionState.restoreMotion(saved.motion)
      tracker.positionState.restoreVisits(saved.pipeline)
    }
  }

  private mutating func recall(
    _ state: String?, _ destinations: [Destination], _ step: inout TrackerStep
  ) {
    let saved = state.flatMap { SavedState($0, &step) }
    if let saved {
      saved.restore(&demands, &search, &step)
      if step.counters.fixesAccepted == 0 {
        search.restore(saved.search)
        positionState.restoreAccessPoints(saved.coarse)
        positionState.restoreMotion(saved.motion)
      }
    }
    positionState.recall(destinations, saved?.pipeline, session: search.sessionID, &step)
  }

  /// A tracker with other settings that continues with this one's ids, places, date and hardware.
  /// `restore` then gives it what was learnt.
  public func reconfigured(_ settings: TrackerSettings) -> Tracker {
    let pipeline = positionState.pipeline
    var tracker = Tracker(
      settings: settings, lastSessionID: search.lastID, lastVisitID: pipeline.nextVisitID - 1,
      lastDestinationID: pipeline.lastDestinationID, destinations: pipeline.destinations)
    tracker.clock = clock
    tracker.counters = counters
    tracker.demands.inherit(from: demands)
    tracker.receiver.inherit(
      from: receiver, isSameReceiver: settings.receiver == self.settings.receiver)
    tracker.search.inherit(from: search)
    tracker.positionState.inherit(from: positionState)
    tracker.activity = activity
    tracker.updateActivity()
    return tracker
  }

  /// Continues in a store whose ids differ from this run's.
  public mutating func renumber(by shift: Renumbering) {
    search.renumber(by: shift)
    positionState.renumber(by: shift)
  }

  /// The records that a store needs for later ones: destinations, the open visit and session.
  public var currentRecords: [Record] {
    positionState.currentRecords + [session.map { .session($0) }].compactMap { $0 }
  }
}
