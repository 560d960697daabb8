import Delivery
import Records
import Ports
import GNSS
import Core
import Tracking

/// Turns the world into events and performs the tracker's effects in their order. It owns no clock
/// and waits for nothing: whoever drives it (the live loop, the simulation) says what time it is,
/// and comes back at `nextDue`.
///
/// There is one inbox for the tracker and the power sequencer. What an effect or an action leads to
/// waits there until all the others of its list are performed: nothing is entered again half way.
public final class TrackerRuntime {
  public private(set) var tracker: Tracker
  public let receiver: ReceiverLink
  public let power: PowerDriver
  public let energy: EnergyLedger
  private let writer: StoreWriter
  private let evidence: [EvidenceLink]
  private let surroundings: Surroundings
  /// Places, and what people want to be told of.
  public let places: PlaceDriver
  /// Letters, groups and meetings; nil where the board is nobody's.
  public let people: PeopleDriver?
  /// Nil: the board has no fuel gauge.
  public let battery: BatteryLink?
  private let listeners: [any RecordListener]
  /// Everything that the loop has to wait for and to serve.
  public let endpoints: [any Endpoint]
  let fixRequest = FixRequest()
  private let log = LogChannel()
  /// What has happened and was not dealt with yet.
  private var inbox: [Input] = []
  /// Whether there is a receiver at all.
  private(set) var presence = ReceiverPresence()
  let reporter: DayReporter
  private var isStepping = false
  private var isLeaving = false
  private var wake: BootInstant?

  /// The system's date, asked while nothing else stands behind the receiver's; nil when it is
  /// implausible or there is none.
  public var systemDate: () -> SystemDate? = { nil }
  /// Why that date is less of a witness than it could be, for `status`; nil when it is not.
  public var dateWarning: String?
  /// What this device is called, for `status`.
  public var deviceName: String?
  /// The names of settings that have been changed and count from the next start on.
  public var waitingSettings: [String] = []
  /// Why the settings on disk were refused when they were read again; nil while they were not.
  public var settingsFailure: String?
  /// What the uplink has told of itself last, in this run.
  public var uplinkReport: UplinkReport?

  public init(
    tracker: Tracker, decoder: ReceiverDecoder, meter: EnergyMeter, commits: CommitSettings,
    wiring: PowerWiring, devices: Devices
  ) {
    self.tracker = tracker
    reporter = DayReporter(log)
    receiver = ReceiverLink(devices.receiver, decoder: decoder, log: log)
    power = PowerDriver(wiring, lines: devices.powerSwitch, link: receiver, log: log)
    energy = EnergyLedger(
      meter, monitor: devices.monitor, sources: (devices.sourcesEnergy, devices.sourcesPower),
      log: log)
    writer = StoreWriter(devices.store, commits: commits, log: log)
    let surroundings = Surroundings(
      devices.radioMap, lookUp: devices.lookUp, hidesIdentifiers: devices.hidesIdentifiers,
      log: log)
    self.surroundings = surroundings
    evidence = devices.evidence.map { EvidenceLink($0, surroundings) }
    battery = devices.battery.map { [log] in BatteryLink($0, log: log) }
    places = PlaceDriver(writer, devices, log: log)
    people = PeopleDriver(writer, places, devices, log: log)
    let groups: [[any Endpoint]] = [
      [receiver], evidence, [battery].compactMap { $0 }, places.endpoints,
      [people].compactMap { $0 }, devices.endpoints,
      [fixRequest],
    ]
    endpoints = Array(groups.joined())
    listeners = devices.listeners
  }

  /// Called with every log event, for the journal.
  public var onLog: (LogEvent, BootInstant) -> Void {
    get { log.receive }
    set { log.sink = newValue }
  }

  // MARK: The loop's side

  /// The earliest moment at which something has to be done; nil when only the world can change
  /// that.
  public var nextDue: BootInstant? {
    var due = BootInstant.earlier(wake, .earlier(writer.due, power.due))
    for endpoint in endpoints { due = .earlier(due, endpoint.due) }
    return due
  }

  /// Time has passed: does what is due.
  public func timePassed(at now: BootInstant) {
    for endpoint in endpoints {
      if let due = endpoint.due, now >= due { serve(endpoint, at: now, isReady: false) }
    }
    if let due = power.due, now >= due { submit(.power(.timePassed), at: now) }
    if let due = wake, now >= due {
      wake = nil
      submit(.tracker(.woke), at: now)
    }
    writer.dateIfKnown(by: tracker.clock, at: now)
    commitIfDue(at: now)
  }

  /// Takes what an endpoint has to say. Returns whether anything was there.
  @discardableResult
  public func serve(_ endpoint: any Endpoint, at now: BootInstant, isReady: Bool) -> Bool {
    let served = endpoint.serve(at: now, isReady: isReady)
    // The network may have set the system's clock since it was asked last.
    if tracker.clock.source == nil, served.inputs.contains(where: \.isFix),
      let date = systemDate()
    {
      submit(.tracker(.systemDate(date)), at: now)
    }
    guard !served.inputs.isEmpty else {
      if writer.isUrgent { commit(at: now) }
      return served.isFruitful
    }
    for input in served.inputs { deal(with: input, at: now) }
    concludeTurn(at: now)
    return served.isFruitful
  }

  /// What the receiver is doing.
  public var activity: ReceiverActivity { tracker.activity }

  /// The sources that may place the board.
  public var coarseSources: [CoarseSource] { evidence.compactMap(\.coarseSource) }

  /// The names of the sources of evidence.
  public var evidenceSources: [String] { evidence.map(\.name) }

  // MARK: The run

  /// - Parameters:
  ///   - state: what an earlier run left in the store.
  ///   - boot: names this run of the system; nil where there is none.
  public func start(restoring state: String?, boot: String? = nil, at now: BootInstant) {
    if let state {
      for effect in tracker.restore(state, at: now) { perform(effect, at: now) }
    }
    reporter.started(in: tracker.openVisit, at: now)
    submit(.tracker(.started(clock: systemDate(), boot: boot)), at: now)
  }

  /// A person's order survives whatever comes next.
  public func command(_ command: Command, at now: BootInstant) {
    submit(.tracker(.command(command)), at: now)
    commit(at: now, evenIfNothingWaits: true)
  }

  /// What follows from something that was said to places.
  package func take(_ inputs: [Input], at now: BootInstant) {
    for input in inputs { deal(with: input, at: now) }
    concludeTurn(at: now)
  }

  /// New settings: everything learnt goes over into a new tracker, and the receiver starts anew.
  public func reconfigure(_ settings: TrackerSettings, boot: String?, at now: BootInstant) {
    submit(.tracker(.stopping), at: now)
    commit(at: now)
    let learnt = tracker.snapshot(at: now).text
    var settings = settings
    // The switch and the receiver are the ones that there were.
    settings.power = power.sequencer.capabilities
    tracker = tracker.reconfigured(settings)
    start(restoring: learnt, boot: boot, at: now)
  }

  /// Orderly end: the receiver is left as the settings want it, without waiting for anything, and
  /// the bookkeeping is finished and stored.
  public func stop(at now: BootInstant) {
    isLeaving = true
    submit(.tracker(.stopping), at: now)
    submit(.power(.leave), at: now)
    if let interval = energy.close(at: now) { writer.store(interval, tracker.clock, at: now) }
    writer.storeUndated(by: tracker.clock, at: now)
    commit(at: now)
  }

  /// One fix of a recording.
  public func replay(_ fix: Fix, at now: BootInstant) {
    var fix = fix
    fix.received = now
    submit(.tracker(.fix(fix)), at: now)
  }

  /// From now on until the next fix nothing was recorded: nobody knows of a receiver that was on.
  public func interruptReplay(at now: BootInstant) {
    guard let interval = energy.stateChanged(to: .off, at: now) else { return }
    writer.store(interval, tracker.clock, at: now)
  }

  // MARK: Events and effects

  private func submit(_ input: Input, at now: BootInstant) {
    deal(with: input, at: now)
    if !isStepping { concludeTurn(at: now) }
  }

  private func deal(with input: Input, at now: BootInstant) {
    enqueue(input, at: now)
    // An effect's answer may come while the effects are still being performed: it waits its turn.
    guard !isStepping else { return }
    isStepping = true
    var rounds = 0
    while !inbox.isEmpty || tracker.awaitsDemands(at: now) {
      precondition(rounds < 100, "effects and events chase each other: \(input)")
      rounds += 1
      switch inbox.isEmpty ? .tracker(.woke) : inbox.removeFirst() {
      case .tracker(let event):
        let effects = tracker.step(event, at: now)
        if case .fix(let fix) = event {
          reporter.heard(
            fix, isAccepted: effects.contains(where: \.locates), date: tracker.clock.utc(at: now),
            at: now)
        }
        if let source = event.source { reporter.heard(source: source, at: now) }
        if event.isEvidence, effects.contains(where: \.switches) { energy.sample(at: now) }
        for effect in effects { perform(effect, at: now) }
        for input in places.follow(tracker, event, at: now) { enqueue(input, at: now) }
        for input in people?.follow(tracker, at: now) ?? [] { enqueue(input, at: now) }
      case .power(let event):
        for input in power.perform(event, at: now) { enqueue(input, at: now) }
      }
    }
    isStepping = false
  }

  private func enqueue(_ input: Input, at now: BootInstant) {
    // Read before anything is switched: the reading belongs to the state that is about to end.
    // Evidence switches rarely and may come every few seconds: it is read when it does. What the
    // receiver is doing follows from something for which it was read.
    if case .tracker(let event) = input, !event.isEvidence, !event.isReceiverState {
      let hasFix = if case .fix(let fix) = event { fix.hasPosition } else { false }
      energy.sample(at: now, hasFix: hasFix)
      if tracker.budget != nil { inbox.append(.tracker(energy.drawn(at: now))) }
    }
    inbox.append(input)
  }

  /// What follows from where things stand now.
  private func concludeTurn(at now: BootInstant) {
    accountEnergy(at: now)
    writer.dateIfKnown(by: tracker.clock, at: now)
    commitIfDue(at: now)
  }

  /// From here on the current of what the receiver does now flows.
  private func accountEnergy(at now: BootInstant) {
    let drawn = activity.drawn
    if let patience = receiver.patience {
      // Whom nobody listens to may well be there.
      presence.update(
        tracker.isListening ? drawn : .off, hasFailed: receiver.failure != nil,
        lastHeard: receiver.lastHeard,
        patience: patience, at: now)
      reporter.receiver(isMissing: presence.isMissing, at: now)
    }
    let isCharged = energy.isMeasured || !presence.isMissing
    let earlier = energy.state
    let interval = energy.stateChanged(to: isCharged ? drawn : .off, at: now)
    if energy.state != earlier { reporter.receiverChanged(at: now) }
    if let interval {
      writer.store(interval, tracker.clock, at: now)
      // It counts when the tracker next decides how the receiver is to spend a pause.
      if let model = energy.measuredModel(after: interval, at: now) {
        inbox.append(.tracker(.measured(model)))
      }
    }
  }

  /// Performs one effect. What becomes of it comes back as an event.
  private func perform(_ effect: Effect, at now: BootInstant) {
    switch effect {
    case .power(let state, let until):
      guard !isLeaving else { return }
      if state == .on, let assistance = AssistanceData(tracker, at: now) {
        enqueue(.power(.assist(assistance)), at: now)
      }
      enqueue(.power(.want(state, until: until)), at: now)
    case .expectWake(let until): enqueue(.power(.expect(until: until)), at: now)
    case .restart(let kind): enqueue(.power(.restart(kind)), at: now)
    case .wake(let instant): wake = instant
    case .scan(let source):
      for link in evidence where link.name == source {
        for input in link.scan() { enqueue(input, at: now) }
      }
    case .findPlaces(let cap):
      for input in places.targets(within: cap, at: now) { enqueue(input, at: now) }
    case .located(let location):
      surroundings.located(location, at: now)
      for listener in listeners { listener.located(location, at: now) }
    case .firstFix(let session): if reporter.isWatched { reporter.found(session, at: now) }
    case .store(let record):
      let record = energy.metered(record, at: now)
      store(record, at: now)
      reporter.stored(record, at: now, label: label)
    case .log(let logEvent): reporter.tell(logEvent, at: now)
    }
  }

  /// The user's name of a destination, as the store has it now.
  func label(of destination: Int64) -> String? {
    destinations.first { $0.id == destination }?.label.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The user may have named one since the start.
  var destinations: [Destination] { writer.destinations ?? tracker.destinations }

  private func store(_ record: Record, at now: BootInstant) {
    writer.store(record, tracker.clock, at: now)
    for listener in listeners {
      for more in listener.heard(record, at: now) { writer.store(more, tracker.clock, at: now) }
    }
  }
}

// MARK: The store

extension TrackerRuntime {
  public var storeName: String? { writer.name }
  public var storeHealth: StoreHealth { writer.health }

  /// Writes what waits, with the tracker's own state in the same transaction.
  public func commit(at now: BootInstant, evenIfNothingWaits: Bool = false) {
    do throws(PortError) {
      if let news = try writer.meetStore(with: &tracker, at: now) {
        deal(with: .tracker(news), at: now)
        accountEnergy(at: now)
      }
    } catch {
      return writer.failed(error, at: now)
    }
    writer.commit(
      with: tracker, places: places.snapshot, at: now, evenIfNothingWaits: evenIfNothingWaits)
    places.committed(at: now)
  }

  private func commitIfDue(at now: BootInstant) {
    if writer.isCommitDue(at: now, isAboutToSleep: !tracker.isListening) { commit(at: now) }
  }

  /// After the end, for records that wait because the store failed: what kept it from taking them
  /// may pass within moments, as another program's lock does.
  public func commitAtLast(at now: BootInstant) {
    for _ in 0..<Self.lastAttempts where storeHealth.failure != nil { commit(at: now) }
  }

  /// Each waits as long as the store does for a lock.
  private static let lastAttempts = 8

  /// Gives it a store that could not be asked at the start.
  public func attach(_ store: StoreSource?) { writer.attach(store) }

  /// The store could not be opened: records wait in memory until it can be.
  public func storeFailed(_ error: PortError, at now: BootInstant) {
    writer.failed(error, at: now)
  }

  /// - Parameter opening: of the store that this run's ids were taken from.
  /// - Throws: why nothing of this run can be stored there.
  public func meet(_ opening: StoreOpening, at now: BootInstant) throws(PortError) {
    if let news = try writer.meet(opening, with: &tracker, at: now) {
      submit(.tracker(news), at: now)
    }
  }

  /// Says in the store what makes its records.
  /// - Parameter text: JSON.
  public func sign(_ text: String, at now: BootInstant) { writer.sign(text, at: now) }

  public func closeStore() throws(PortError) {
    surroundings.close()
    try writer.close()
  }
}
