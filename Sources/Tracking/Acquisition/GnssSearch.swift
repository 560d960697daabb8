import Records
import Core
import GNSS

/// The receiver's sessions, one after the other: the results of the present one, how long it may go
/// on without a fix, and when the next one is worth its energy.
struct GnssSearch: Sendable {
  private struct Session {
    var record: GnssSession
    let started: BootInstant
    /// Counts of rejected fixes by reason.
    var rejections: [RejectionReason: Int] = [:]
    /// The last accepted fix; nil while the receiver is searching.
    var lastAccepted: BootInstant?
    var rhythm = EpochWatchdog()
    var satellitesInView: Int?
    var restartStatus = RestartStatus.done
  }

  /// Whether a receiver has carried out a restart command.
  private enum RestartStatus: Hashable {
    /// It has, or there was no command.
    case done
    /// Commanded then; every epoch since has had a position.
    case unconfirmed(since: BootInstant)
    /// It has not: its time to first fix is not that of a start.
    case refused
  }

  /// A position this soon after the command was computed before it: epochs are in transit for up to
  /// a second, and end a quarter of a second later (`ReceiverLink`).
  private static let onTheWay: Seconds = 1.5

  private var session: Session?
  private var nextID: Int64
  private var acquisition: Acquisition
  /// Whether an attempt without signal has been logged since the last fix.
  private var isNoSignalLogged = false

  init(_ settings: AcquisitionSettings, receiver: ReceiverEnergyModel, lastID: Int64) {
    acquisition = Acquisition(
      settings,
      prediction: TTFFPrediction(
        hotStart: receiver.meanHotStart, warmStart: receiver.slowestWarmStart,
        coldStart: receiver.coldStart))
    nextID = RecordIdentifier.following(lastID)
  }

  // MARK: State

  var isOn: Bool { session != nil }
  var hasFix: Bool { session?.lastAccepted != nil }
  /// Whether this session has had a fix.
  var hasHadFix: Bool { (session?.record.fixesAccepted ?? 0) > 0 }
  var sessionID: Int64? { session?.record.id }
  var record: GnssSession? { session?.record }
  /// Nil while it is off.
  var state: GnssState? { session.map { $0.lastAccepted == nil ? .acquiring : .tracking } }
  /// The highest id in use.
  var lastID: Int64 { nextID - 1 }

  /// Until when no attempt is worth its energy, and why; nil when one is.
  func pause(at now: BootInstant) -> Pause? {
    guard let until = acquisition.backedOffUntil, now < until else { return nil }
    return Pause(
      until: until,
      reason: "no signal: search \(acquisition.failures) failed, waiting before the next")
  }

  /// Whether the present attempt should be abandoned.
  /// - Parameter worth: how many seconds of searching a fix is worth.
  func hasNoChance(at now: BootInstant, worth: Seconds) -> Bool {
    acquisition.hasNoChance(
      at: now, worth: worth, satellitesInView: session?.satellitesInView)
  }

  /// Since when the receiver has been on without a fix, if longer than a start takes under open
  /// sky; nil: it has one, or may still get it.
  func noSignalSince(at now: BootInstant) -> BootInstant? {
    guard signalQuality != .good, let since = acquisition.fixlessSince,
      now - since >= Self.slowStart
    else { return nil }
    return since
  }

  private static let slowStart: Seconds = 20

  /// Whether the receiver reports reception and starts with navigation data, so that a failed
  /// attempt costs next to nothing.
  var isCheap: Bool { signalQuality != nil && !acquisition.startsCold }

  /// The reception as reported by the receiver; nil before its first report.
  var signalQuality: SignalQuality? { acquisition.signalQuality }

  /// Whether the receiver gathers ephemeris that the next start will need.
  func isGatheringEphemeris(at now: BootInstant) -> Bool {
    acquisition.holdUntil(at: now) != nil
  }

  func forecast(pause: Seconds, hasBackup: Bool, at now: BootInstant) -> RestartForecast {
    acquisition.forecast(pause: pause, hasBackup: hasBackup, at: now)
  }

  // MARK: The session

  /// Begins a session of a receiver that is being switched on. A stuck receiver gets a cold start.
  mutating func open(because why: String, _ step: inout TrackerStep) {
    let isColdReset = acquisition.takeColdReset()
    acquisition.switchedOn(at: step.now)
    if isColdReset {
      step.perform(.restart(.cold))
      step.log(
        .coldReset,
        "\(acquisition.stuckSearches) searches failed with satellites in view: the receiver "
          + "starts with all data cleared", level: .warning)
    }
    begin(because: why, isColdReset ? .cold : nil, &step)
  }

  /// Restarts the receiver by command: the session ends, and the next begins with the command.
  mutating func restart(_ kind: RestartKind, _ step: inout TrackerStep) {
    guard isOn else { return }
    close(.stopped, &step)
    acquisition.restarted(kind, at: step.now)
    step.perform(.restart(kind))
    begin(because: "restarted \(kind.rawValue) by command", kind, &step)
    session?.restartStatus = .unconfirmed(since: step.now)
  }

  private mutating func begin(because why: String, _ kind: RestartKind?, _ step: inout TrackerStep)
  {
    var record = GnssSession(id: nextID, on: step.date)
    record.restart = kind.flatMap { GnssSession.Restart(rawValue: $0.rawValue) }
    session = Session(record: record, started: step.now)
    nextID += 1
    step.counters.countSession()
    step.journal("gnss-on", why)
    step.store(.session(record))
  }

  /// The receiver will go off: from now on its time without a fix counts as a pause.
  mutating func switchedOff(at now: BootInstant) { acquisition.switchedOff(at: now) }

  mutating func close(_ outcome: GnssSession.Outcome, _ step: inout TrackerStep) {
    guard let closed = session else { return }
    session = nil
    var record = closed.record
    // The date may have become known only within the session.
    record.on = step.date(at: closed.started) ?? record.on
    record.off = step.date
    record.duration = step.now - closed.started
    record.outcome = outcome
    step.journal("gnss-off", outcome.rawValue)
    step.store(.session(record))
    guard !closed.rejections.isEmpty else { return }
    // One log entry for the whole session: a receiver may have fixes rejected every second.
    let causes = closed.rejections.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
    step.store(.event(LogEvent(.fixesRejected, causes), time: step.date))
  }

  // MARK: Receiver output

  /// Handles an epoch, with or without a fix. Returns whether it belongs to this session.
  mutating func handle(_ fix: Fix, _ step: inout TrackerStep) -> Bool {
    guard isOn, !isOnTheWay(fix, at: step.now) else {
      step.counters.countLateFix()
      return false
    }
    received(fix, at: step.now)
    return true
  }

  private func isOnTheWay(_ fix: Fix, at now: BootInstant) -> Bool {
    guard fix.hasPosition, case .unconfirmed(let since) = session?.restartStatus else {
      return false
    }
    return now - since < Self.onTheWay
  }

  private mutating func received(_ fix: Fix, at now: BootInstant) {
    if let count = fix.satellitesInView { session?.satellitesInView = count }
    if let signals = fix.signals { acquisition.received(signals, at: now) }
    session?.rhythm.epochReceived(at: now)
  }

  /// - Parameter received: when its last byte came. The end of the epoch was detected later.
  mutating func accepted(at received: BootInstant, _ step: inout TrackerStep) {
    step.counters.countAcceptedFix()
    isNoSignalLogged = false
    session?.record.fixesAccepted += 1
    session?.lastAccepted = step.now
    guard let timeToFirstFix = acquisition.fixAccepted(at: received) else { return }
    if session?.record.restart != .hot {
      restartFailed("it had a position all the time since the restart command", &step)
    }
    guard session?.restartStatus != .refused else { return }
    session?.record.timeToFirstFix = timeToFirstFix
    if let session { step.perform(.firstFix(session.record)) }
  }

  /// Returns whether the receiver is searching: an epoch without a position is not a rejected fix.
  mutating func refused(_ fix: Fix, _ reason: RejectionReason, _ step: inout TrackerStep) -> Bool {
    guard fix.hasPosition else {
      step.counters.countEpochWithoutFix()
      lostFix()
      if case .unconfirmed = session?.restartStatus { session?.restartStatus = .done }
      return true
    }
    step.counters.countRejectedFix(reason)
    session?.record.fixesRejected += 1
    session?.rejections[reason, default: 0] += 1
    return false
  }

  /// The restart command did not reach the receiver, or was rejected. Ignored if the receiver has
  /// shown otherwise.
  mutating func restartFailed(_ why: String, _ step: inout TrackerStep) {
    guard case .unconfirmed = session?.restartStatus else { return }
    session?.restartStatus = .refused
    session?.record.restart = nil
    session?.record.timeToFirstFix = nil
    step.log(.restartFailed, why, level: .warning)
  }

  /// The receiver has no position: it is acquiring again.
  private mutating func lostFix() { session?.lastAccepted = nil }

  /// A silent receiver has no fix.
  mutating func checkSilence(at now: BootInstant) {
    if let session, session.rhythm.isSilent(at: now) { lostFix() }
  }

  /// When to check next whether the session should end: for a fix, for satellites, for silence.
  mutating func planChecks(givesUp: Bool, at now: BootInstant) -> [BootInstant] {
    guard var running = session else { return [] }
    var checks: [BootInstant?] = [acquisition.holdUntil(at: now)]
    if givesUp { checks += [acquisition.deadline, acquisition.signalCheck] }
    if running.lastAccepted != nil {
      running.rhythm.plan(at: now)
      checks.append(running.rhythm.check)
      session = running
    }
    return checks.compactMap { $0 }
  }

  /// The attempt has failed. Returns the pause before the next.
  mutating func failed(_ step: inout TrackerStep) -> Seconds {
    let fixless = acquisition.fixlessSince ?? session?.started ?? step.now
    let satellites = session?.satellitesInView
    let isRoutine = isCheap
    let pause = acquisition.gaveUp(at: step.now, satellitesInView: satellites)
    step.counters.countFailedSearch()
    // Indoors hundreds of attempts a day fail and are recorded as sessions: only the first is
    // logged.
    defer { isNoSignalLogged = isRoutine }
    guard !isRoutine || !isNoSignalLogged else { return pause }
    step.log(
      .searchFailed,
      "no fix in \(Int((step.now - fixless).value)) s with "
        + "\(Counted.text(satellites ?? 0, "satellite")) "
        + "in view; next search in \(Int(pause.value)) s at the earliest")
    return pause
  }

  // MARK: The next search

  /// Reception may have changed: the next attempt need not wait.
  mutating func forgetBackOff() { acquisition.forgetBackOff() }

  /// The board seems to move: the next attempt need not wait. Later pauses are not shortened.
  mutating func endPause(at now: BootInstant) { acquisition.endPause(at: now) }

  /// The receiver's navigation data is lost: the next start is a cold one.
  mutating func forgetEphemeris() { acquisition.forgetEphemeris() }

  /// The settings have changed, the receiver has not.
  mutating func inherit(from other: GnssSearch) { acquisition.inherit(from: other.acquisition) }

  /// This session id is in use by an earlier run.
  mutating func follow(_ id: Int64) { nextID = max(nextID, RecordIdentifier.following(id)) }

  mutating func renumber(by shift: Renumbering) {
    session?.record.id += shift.sessions
    nextID += shift.sessions
  }
}

extension GnssSearch {
  var snapshot: JSONValue { acquisition.snapshot }

  mutating func restore(_ snapshot: JSONValue?) { acquisition.restore(snapshot) }
}
