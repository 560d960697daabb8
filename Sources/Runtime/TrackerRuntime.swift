import Delivery
import Records
import Ports
import GNSS
import Core
import Tracking

/// Turns inputs into events and performs the tracker's effects in order. It owns no clock and never
/// blocks: its driver (the live loop, the simulation) passes the time, and returns at `nextDue`.
///
/// One inbox serves the tracker and the power sequencer. Results of an effect or an action wait
/// there until all others of its list are performed, so that no step is re-entered.
public final class TrackerRuntime {
  public private(set) var tracker: Tracker
  public let receiver: ReceiverLink
  public let power: PowerDriver
  public let energy: EnergyLedger
  private let writer: StoreWriter
  private let evidence: [EvidenceLink]
  private let surroundings: Surroundings
  /// Places and alerts.
  public let places: PlaceDriver
  /// Letters, groups and meetings; nil if no owner is configured.
  public let people: PeopleDriver?
  /// Nil: the board has no fuel gauge.
  let battery: BatteryLink?
  private let listeners: [any RecordListener]
  /// Everything that the loop has to watch and serve.
  let endpoints: [any Endpoint]
  let fixRequest = FixRequest()
  private let log = LogChannel()
  /// Inputs that were not handled yet.
  private var inbox: [Input] = []
  /// Whether there is a receiver at all.
  private(set) var presence = ReceiverPresence()
  let reporter: DayReporter
  private var isStepping = false
  private var isLeaving = false
  private var wake: BootInstant?

  /// The system's date, queried while nothing else corroborates the receiver's; nil if it is
  /// implausible or there is none.
  public var systemDate: () -> SystemDate? = { nil }
  /// Why that date corroborates less than it could, for `status`; nil if there is no reason.
  public var dateWarning: String?
  /// The name of this device, for `status`.
  public var deviceName: String?
  /// The names of changed settings that take effect at the next start.
  public var waitingSettings: [String] = []
  /// Why the settings on disk were rejected at the last reload; nil if they were not.
  public var settingsFailure: String?
  /// The last report of the uplink in this run.
  var uplinkReport: UplinkReport?

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

  // MARK: Interface for the loop

  /// When something is next due; nil if only an input can change that.
  var nextDue: BootInstant? {
    var due = BootInstant.earlier(wake, .earlier(writer.due, power.due))
    for endpoint in endpoints { due = .earlier(due, endpoint.due) }
    return due
  }

  /// Handles everything that is due.
  func timePassed(at now: BootInstant) {
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

  /// Handles an endpoint's input. Returns whether there was any.
  @discardableResult
  public func serve(_ endpoint: any Endpoint, at now: BootInstant, isReady: Bool) -> Bool {
    let served = endpoint.serve(at: now, isReady: isReady)
    // The network may have set the system's clock since the last query.
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
    completeStep(at: now)
    return served.isFruitful
  }

  /// The state of the receiver.
  var activity: ReceiverActivity { tracker.activity }

  /// The sources that may locate the board.
  public var coarseSources: [CoarseSource] { evidence.compactMap(\.coarseSource) }

  /// The names of the sources of evidence.
  public var evidenceSources: [String] { evidence.map(\.name) }

  // MARK: The run

  /// - Parameters:
  ///   - state: the state that an earlier run left in the store.
  ///   - boot: identifies this boot of the system; nil where there is none.
  public func start(restoring state: String?, boot: String? = nil, at now: BootInstant) {
    if let state {
      for effect in tracker.restore(state, at: now) { perform(effect, at: now) }
    }
    reporter.started(in: tracker.openVisit, at: now)
    submit(.tracker(.started(clock: systemDate(), boot: boot)), at: now)
  }

  /// A person's command is stored at once, so that it survives any end.
  public func command(_ command: Command, at now: BootInstant) {
    submit(.tracker(.command(command)), at: now)
    commit(at: now, evenIfNothingWaits: true)
  }

  /// Handles inputs that result from a call to the places.
  package func handle(_ inputs: [Input], at now: BootInstant) {
    for input in inputs { deal(with: input, at: now) }
    completeStep(at: now)
  }

  /// Applies new settings: everything learnt moves into a new tracker, and the receiver restarts.
  public func reconfigure(_ settings: TrackerSettings, boot: String?, at now: BootInstant) {
    submit(.tracker(.stopping), at: now)
    commit(at: now)
    let learnt = tracker.snapshot(at: now).text
    var settings = settings
    // The capabilities of the switch and the receiver are unchanged.
    settings.power = power.sequencer.capabilities
    tracker = tracker.reconfigured(settings)
    start(restoring: learnt, boot: boot, at: now)
  }

  /// Orderly end: the receiver is left as the settings require, without waiting for it, and the
  /// energy ledger is closed and stored.
  public func stop(at now: BootInstant) {
    isLeaving = true
    submit(.tracker(.stopping), at: now)
    submit(.power(.leave), at: now)
    if let interval = energy.close(at: now) { writer.store(interval, tracker.clock, at: now) }
    writer.storeUndated(by: tracker.clock, at: now)
    commit(at: now)
  }

  /// Handles one fix of a recording.
  public func replay(_ fix: Fix, at now: BootInstant) {
    var fix = fix
    fix.received = now
    submit(.tracker(.fix(fix)), at: now)
  }

  /// Nothing was recorded from now until the next fix: the receiver's state in between is unknown.
  public func interruptReplay(at now: BootInstant) {
    guard let interval = energy.stateChanged(to: .off, at: now) else { return }
    writer.store(interval, tracker.clock, at: now)
  }

  // MARK: Events and effects

  private func submit(_ input: Input, at now: BootInstant) {
    deal(with: input, at: now)
    if !isStepping { completeStep(at: now) }
  }

  private func deal(with input: Input, at now: BootInstant) {
    enqueue(input, at: now)
    // An effect's result may arrive while effects are performed; it waits in the inbox.
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
          reporter.received(
            fix, isAccepted: effects.contains(where: \.locates), date: tracker.clock.utc(at: now),
            at: now)
        }
        if let source = event.source { reporter.received(source: source, at: now) }
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
    // The monitor is read before anything is switched: the reading belongs to the state that is
    // about to end. Evidence rarely switches and may come every few seconds, so the monitor is read
    // only when it does. A change of the receiver's state follows from an event for which it was
    // read.
    if case .tracker(let event) = input, !event.isEvidence, !event.isReceiverState {
      let hasFix = if case .fix(let fix) = event { fix.hasPosition } else { false }
      energy.sample(at: now, hasFix: hasFix)
      if tracker.budget != nil { inbox.append(.tracker(energy.drawn(at: now))) }
    }
    inbox.append(input)
  }

  /// Completes a step: energy, dates, commits.
  private func completeStep(at now: BootInstant) {
    accountEnergy(at: now)
    writer.dateIfKnown(by: tracker.clock, at: now)
    commitIfDue(at: now)
  }

  /// Attributes the energy from now on to the receiver's present state.
  private func accountEnergy(at now: BootInstant) {
    let drawn = activity.energyState
    if let timeout = receiver.startTimeout {
      // A receiver that is not listened to does not count as missing.
      presence.update(
        tracker.isListening ? drawn : .off, hasFailed: receiver.failure != nil,
        lastReception: receiver.lastReceived,
        timeout: timeout, at: now)
      reporter.receiver(isMissing: presence.isMissing, at: now)
    }
    let isCharged = energy.isMeasured || !presence.isMissing
    let earlier = energy.state
    let interval = energy.stateChanged(to: isCharged ? drawn : .off, at: now)
    if energy.state != earlier { reporter.receiverChanged(at: now) }
    if let interval {
      writer.store(interval, tracker.clock, at: now)
      // The model takes effect at the tracker's next decision about a pause.
      if let model = energy.measuredModel(after: interval, at: now) {
        inbox.append(.tracker(.measured(model)))
      }
    }
  }

  /// Performs one effect. Its result comes back as an event.
  private func perform(_ effect: Effect, at now: BootInstant) {
    switch effect {
    case .power(let state, let until):
      guard !isLeaving else { return }
      if state == .on, let assistance = AssistanceData(tracker, at: now) {
        enqueue(.power(.assist(assistance)), at: now)
      }
      enqueue(.power(.request(state, until: until)), at: now)
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
    case .firstFix(let session): reporter.found(session, at: now)
    case .store(let record):
      let record = energy.metered(record, at: now)
      store(record, at: now)
      reporter.stored(record, at: now, label: label)
    case .log(let logEvent): reporter.writeLog(logEvent, at: now)
    }
  }

  /// The user's name of a destination, as stored now.
  func label(of destination: Int64) -> String? {
    destinations.first { $0.id == destination }?.label.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Read from the store, because the user may have named one since the start.
  var destinations: [Destination] { writer.destinations ?? tracker.destinations }

  private func store(_ record: Record, at now: BootInstant) {
    writer.store(record, tracker.clock, at: now)
    for listener in listeners {
      for more in listener.received(record, at: now) { writer.store(more, tracker.clock, at: now) }
    }
  }
}

// MARK: The store

extension TrackerRuntime {
  var storeName: String? { writer.name }
  public var storeHealth: StoreHealth { writer.health }

  /// Writes what waits, with the tracker's own state in the same transaction.
  func commit(at now: BootInstant, evenIfNothingWaits: Bool = false) {
    do throws(PortError) {
      if let news = try writer.ensureStore(with: &tracker, at: now) {
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

  /// Called after the end, for records that wait because the store failed: the cause may pass
  /// within moments, as another program's lock does.
  public func commitAtLast(at now: BootInstant) {
    for _ in 0..<Self.lastAttempts where storeHealth.failure != nil { commit(at: now) }
  }

  /// Each attempt waits for a lock as long as the store does.
  private static let lastAttempts = 8

  /// Gives it a store that could not be asked at the start.
  public func attach(_ store: StoreSource?) { writer.attach(store) }

  /// The store could not be opened: records wait in memory until it can be.
  public func storeFailed(_ error: PortError, at now: BootInstant) {
    writer.failed(error, at: now)
  }

  /// - Parameter opening: of the store that this run's ids were taken from.
  /// - Throws: why nothing of this run can be stored there.
  public func checkStore(_ opening: StoreOpening, at now: BootInstant) throws(PortError) {
    if let news = try writer.adopt(opening, with: &tracker, at: now) {
      submit(.tracker(news), at: now)
    }
  }

  /// Records in the store what creates its records.
  /// - Parameter text: JSON.
  public func recordProvenance(_ text: String, at now: BootInstant) {
    writer.recordProvenance(text, at: now)
  }

  public func closeStore() throws(PortError) {
    surroundings.close()
    try writer.close()
  }
}
