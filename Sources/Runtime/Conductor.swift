import Energy
import Ports
import PowerControl
import Quantities
import ReceiverProtocols
import Records
import Tracking

/// Turns the world into events and performs the tracker's effects in their order. It owns no clock
/// and waits for nothing: whoever drives it (the live loop, the simulation) says what time it is,
/// and comes back at `nextDue`.
public final class Conductor {
  public private(set) var board: Board
  public internal(set) var tracker: Tracker
  public internal(set) var decoder: ReceiverDecoder
  public internal(set) var meter: EnergyMeter
  /// How the receiver is brought from one power state to another.
  public internal(set) var sequencer: PowerSequencer
  /// What has happened and was not told to the tracker yet.
  private var inbox: [Event] = []
  private var isStepping = false
  private var isLeaving = false
  var queue: RecordQueue
  var kinship = StoreKinship()
  /// The store that was opened and whose ids could not be dealt with yet.
  var unmet: StoreOpening?
  /// What is wrong with the store, in words, although it takes records.
  var storeWarning: String?
  /// Whether the store could not be asked what an earlier run left.
  var startsBlind = false
  var line: ReceiverLine
  /// Why a line could not be set; nil once it could be again, or when nothing is switched.
  public internal(set) var switchFailure: String?
  /// Why the monitor does not answer; nil while it does or there is none.
  public internal(set) var monitorFailure: String?
  /// The monitor's last reading, of whatever state.
  public internal(set) var lastPower: PowerReading?
  var wake: BootInstant?

  /// Called when the receiver's descriptor appears, changes or goes, so that a loop can watch it.
  public var receiverDescriptorChanged: (Int32?) -> Void = { _ in }
  /// Called when the descriptor need not be watched for a moment (true), and when it must be again.
  public var receiverPaused: (Bool) -> Void = { _ in }
  /// What the meter had counted when the open session began.
  var sessionStart = EnergyTally()
  var undated = UndatedRecords() {
    // Wherever it gives something up, that counts like what the queue gives up.
    didSet { queue.lost(undated.takeDropped()) }
  }
  var nextTidy = BootInstant.zero
  /// The system's date, asked while nothing else stands behind the receiver's; nil when it is
  /// implausible or there is none.
  public var systemDate: () -> SystemDate? = { nil }
  /// Why that date is less of a witness than it could be, for `status`; nil when it is not.
  public var dateShortcoming: String?
  /// Called with every note, for the journal.
  public var noted: (Note, BootInstant) -> Void = { _, _ in }

  public init(
    tracker: Tracker, decoder: ReceiverDecoder, meter: EnergyMeter, commits: CommitSettings,
    wiring: PowerWiring, board: Board
  ) {
    self.tracker = tracker
    self.decoder = decoder
    self.meter = meter
    self.board = board
    sequencer = PowerSequencer(wiring)
    queue = RecordQueue(commits)
    line = ReceiverLine()
  }

  /// - Parameters:
  ///   - state: what an earlier run left in the store.
  ///   - boot: names this run of the system; nil where there is none.
  public func start(restoring state: String?, boot: String? = nil, at now: BootInstant) {
    if let state {
      for effect in tracker.restore(state, at: now) { perform(effect, at: now) }
    }
    step(.started(clock: systemDate(), boot: boot), at: now)
  }

  /// The earliest moment at which something has to be done; nil when only the world can change
  /// that.
  public var nextDue: BootInstant? {
    [wake, queue.due, line.due, sequencer.due].compactMap { $0 }.min()
  }

  /// Time has passed: does what is due.
  public func timePassed(at now: BootInstant) {
    attendReceiver(at: now)
    attendPower(at: now)
    if let due = wake, now >= due {
      wake = nil
      step(.woke, at: now)
    }
    commitIfDue(at: now)
  }

  public func command(_ command: Command, at now: BootInstant) { step(.command(command), at: now) }

  /// Gives the board a store that could not be asked at the start.
  public func adopt(_ store: (any StorePort)?) {
    board.store = store
    startsBlind = store != nil
  }

  /// New settings: everything learnt goes over into a new tracker, and the receiver starts anew.
  public func reconfigure(_ settings: TrackerSettings, boot: String?, at now: BootInstant) {
    step(.stopping, at: now)
    commit(at: now)
    let learnt = tracker.snapshot(at: now).text
    var settings = settings
    // The switch and the receiver are the ones that there were.
    settings.power = sequencer.means
    tracker = tracker.reconfigured(settings)
    start(restoring: learnt, boot: boot, at: now)
  }

  /// Orderly end: the receiver goes off, the bookkeeping is finished and stored.
  public func stop(at now: BootInstant) {
    isLeaving = true
    step(.stopping, at: now)
    leavePower(at: now)
    keep(meter.close(at: now), at: now)
    giveDates(at: now)
    commit(at: now)
  }

  func step(_ event: Event, at now: BootInstant) {
    // Read before anything is switched: the reading belongs to the state that is about to end.
    sample(at: now)
    inbox.append(event)
    // An effect's answer may come while the effects are still being performed: it waits its turn.
    guard !isStepping else { return }
    isStepping = true
    var rounds = 0
    while !inbox.isEmpty {
      precondition(rounds < 100, "effects and events chase each other: \(event)")
      rounds += 1
      for effect in tracker.step(inbox.removeFirst(), at: now) { perform(effect, at: now) }
    }
    isStepping = false
    if let interval = meter.stateChanged(to: drawnState, at: now) {
      keep(interval, at: now)
      if let model = measuredModel(after: interval, at: now) { inbox.append(.measured(model)) }
    }
    if !undated.isEmpty, tracker.clock.utc(at: now) != nil { giveDates(at: now) }
    commitIfDue(at: now)
  }

  /// Performs one effect. What becomes of it comes back as an event.
  func perform(_ effect: Effect, at now: BootInstant) {
    switch effect {
    case .power(let state, let until): if !isLeaving { power(state, until: until, at: now) }
    case .expectWake(let until): perform(.expect(until: until), at: now)
    case .restart(let kind): perform(PowerEvent.restart(kind), at: now)
    case .wake(let instant): wake = instant
    case .scan(let source): scan(source, at: now)
    case .store(let record): store(metered(record, at: now), at: now)
    case .note(let note): noted(note, now)
    }
  }

  private func scan(_ source: String, at now: BootInstant) {
    guard let coarse = board.coarse, coarse.name == source else { return }
    do {
      try coarse.scan()
    } catch {
      step(.scanFailed(source: source, reason: error.message), at: now)
    }
  }
}
