import Records
import Core
import GNSS

/// The receiver's sessions, one after the other: what the present one has brought, how long it may
/// go on without a fix, and when the next one is worth it.
struct GnssSearch: Sendable {
  private struct Session {
    var record: GnssSession
    let started: BootInstant
    /// Why fixes were not believed.
    var rejections: [RejectionReason: Int] = [:]
    /// The last fix of those that come at present; nil while one is searched for.
    var lastAccepted: BootInstant?
    var rhythm = EpochWatchdog()
    var satellitesInView: Int?
    var obedience = Obedience.undoubted
  }

  /// Whether a receiver that was told to begin anew has done so.
  private enum Obedience: Hashable {
    /// It has, or was told nothing.
    case undoubted
    /// It was told then, and has had a place ever since.
    case doubted(since: BootInstant)
    /// It has not: the time to its fix is that of no start.
    case refused
  }

  /// What has a place within so long of the order was computed before it: epochs are on their way
  /// for up to a second, and are over after another quarter (`ReceiverLink`).
  private static let onTheWay: Seconds = 1.5

  private var session: Session?
  private var nextID: Int64
  private var acquisition: Acquisition
  /// Whether a look that found no sky has been told since the last fix.
  private var isDarkTold = false

  init(_ settings: AcquisitionSettings, receiver: ReceiverEnergyModel, lastID: Int64) {
    acquisition = Acquisition(
      settings,
      prediction: TTFFPrediction(
        hotStart: receiver.meanHotStart, warmStart: receiver.slowestWarmStart,
        coldStart: receiver.coldStart))
    nextID = RecordIdentifier.following(lastID)
  }

  // MARK: What is known

  var isOn: Bool { session != nil }
  var hasFix: Bool { session?.lastAccepted != nil }
  /// Whether this session has brought one.
  var hasHadFix: Bool { (session?.record.fixesAccepted ?? 0) > 0 }
  var sessionID: Int64? { session?.record.id }
  var record: GnssSession? { session?.record }
  /// Nil while it is off.
  var state: GnssState? { session.map { $0.lastAccepted == nil ? .acquiring : .tracking } }
  /// The highest id in use.
  var lastID: Int64 { nextID - 1 }

  /// Until when no search is worth it, and why; nil when one is.
  func pause(at now: BootInstant) -> Pause? {
    guard let until = acquisition.backedOffUntil, now < until else { return nil }
    return Pause(
      until: until,
      reason: "no sky: search \(acquisition.failures) failed, waiting before the next")
  }

  /// Whether the search that is under way will come to nothing.
  /// - Parameter worth: how many seconds of searching a fix is worth.
  func hasNoChance(at now: BootInstant, worth: Seconds) -> Bool {
    acquisition.hasNoChance(
      at: now, worth: worth, satellitesInView: session?.satellitesInView)
  }

  /// Since when it has been on without a fix, if for longer than a start takes under a clear sky;
  /// nil: it has one, or may yet have it.
  func darkSince(at now: BootInstant) -> BootInstant? {
    guard sky != .clear, let since = acquisition.fixlessSince, now - since >= Self.slowStart
    else { return nil }
    return since
  }

  private static let slowStart: Seconds = 20

  /// Whether it was told how little is to be heard, in a look that cost next to nothing.
  var isCheap: Bool { sky != nil && !acquisition.startsCold }

  /// What is heard of the sky; nil while the receiver has not said.
  var sky: SignalQuality? { acquisition.sky }

  /// Whether the receiver gathers ephemeris that the next start will need.
  func isGatheringEphemeris(at now: BootInstant) -> Bool {
    acquisition.holdUntil(at: now) != nil
  }

  func forecast(pause: Seconds, hasBackup: Bool, at now: BootInstant) -> RestartForecast {
    acquisition.forecast(pause: pause, hasBackup: hasBackup, at: now)
  }

  // MARK: The session

  /// Begins a session of a receiver that is being switched on. If it is stuck, it is told to start
  /// cold.
  mutating func open(because why: String, _ step: inout Turn) {
    let isColdReset = acquisition.takeColdReset()
    acquisition.switchedOn(at: step.now)
    if isColdReset {
      step.perform(.restart(.cold))
      step.log(
        .coldReset,
        "\(acquisition.stuckSearches) searches failed with satellites in view: the receiver "
          + "starts with nothing remembered", level: .warning)
    }
    begin(because: why, isColdReset ? .cold : nil, &step)
  }

  /// The receiver is told to begin anew: the session ends, and the next begins with the order.
  mutating func restart(_ kind: RestartKind, _ step: inout Turn) {
    guard isOn else { return }
    close(.stopped, &step)
    acquisition.restarted(kind, at: step.now)
    step.perform(.restart(kind))
    begin(because: "restarted \(kind.rawValue) by command", kind, &step)
    session?.obedience = .doubted(since: step.now)
  }

  private mutating func begin(because why: String, _ kind: RestartKind?, _ step: inout Turn) {
    var record = GnssSession(id: nextID, on: step.date)
    record.restart = kind.flatMap { GnssSession.Restart(rawValue: $0.rawValue) }
    session = Session(record: record, started: step.now)
    nextID += 1
    step.counters.countSession()
    step.journal("gnss-on", why)
    step.store(.session(record))
  }

  /// The receiver is to go off: from here on its time without a fix counts as a pause.
  mutating func switchedOff(at now: BootInstant) { acquisition.switchedOff(at: now) }

  mutating func close(_ outcome: GnssSession.Outcome, _ step: inout Turn) {
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
    // One line of the decision log for all of a session: a receiver rejects by the second.
    let causes = closed.rejections.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
    step.store(.event(LogEvent(.fixesRejected, causes), time: step.date))
  }

  // MARK: What the receiver says

  /// An epoch has come, with a fix or without. Answers whether it is of this search.
  mutating func takes(_ fix: Fix, _ step: inout Turn) -> Bool {
    guard isOn, !isOnTheWay(fix, at: step.now) else {
      step.counters.countLateFix()
      return false
    }
    received(fix, at: step.now)
    return true
  }

  private func isOnTheWay(_ fix: Fix, at now: BootInstant) -> Bool {
    guard fix.hasPosition, case .doubted(let since) = session?.obedience else { return false }
    return now - since < Self.onTheWay
  }

  private mutating func received(_ fix: Fix, at now: BootInstant) {
    if let count = fix.satellitesInView { session?.satellitesInView = count }
    if let signals = fix.signals { acquisition.received(signals, at: now) }
    session?.rhythm.heard(at: now)
  }

  /// - Parameter received: when its last byte came. That no more would come was known later.
  mutating func accepted(at received: BootInstant, _ step: inout Turn) {
    step.counters.countAcceptedFix()
    isDarkTold = false
    session?.record.fixesAccepted += 1
    session?.lastAccepted = step.now
    guard let timeToFirstFix = acquisition.fixAccepted(at: received) else { return }
    if session?.record.restart != .hot {
      restartFailed("it had a place all the time since it was told to start again", &step)
    }
    guard session?.obedience != .refused else { return }
    session?.record.timeToFirstFix = timeToFirstFix
    if let session { step.perform(.firstFix(session.record)) }
  }

  /// Answers whether it is searching: an epoch without a position is no refusal.
  mutating func refused(_ fix: Fix, _ reason: RejectionReason, _ step: inout Turn) -> Bool {
    guard fix.hasPosition else {
      step.counters.countEpochWithoutFix()
      lostFix()
      if case .doubted = session?.obedience { session?.obedience = .undoubted }
      return true
    }
    step.counters.countRejectedFix(reason)
    session?.record.fixesRejected += 1
    session?.rejections[reason, default: 0] += 1
    return false
  }

  /// The order to begin anew has not reached the receiver, or was refused, as far as it has not
  /// shown the contrary.
  mutating func restartFailed(_ why: String, _ step: inout Turn) {
    guard case .doubted = session?.obedience else { return }
    session?.obedience = .refused
    session?.record.restart = nil
    session?.record.timeToFirstFix = nil
    step.log(.restartFailed, why, level: .warning)
  }

  /// The receiver has no position: it is searching again.
  private mutating func lostFix() { session?.lastAccepted = nil }

  /// A receiver that has fallen silent has no fix, either.
  mutating func checkSilence(at now: BootInstant) {
    if let session, session.rhythm.isSilent(at: now) { lostFix() }
  }

  /// When to look next whether the search should end: for a fix, for satellites, for silence.
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

  /// The search has come to nothing. Returns the pause before the next.
  mutating func failed(_ step: inout Turn) -> Seconds {
    let fixless = acquisition.fixlessSince ?? session?.started ?? step.now
    let satellites = session?.satellitesInView
    let isRoutine = isCheap
    let pause = acquisition.gaveUp(at: step.now, satellitesInView: satellites)
    step.counters.countFailedSearch()
    // Under a roof hundreds of looks a day find no sky, and the sessions say so: the first is news.
    defer { isDarkTold = isRoutine }
    guard !isRoutine || !isDarkTold else { return pause }
    step.log(
      .searchFailed,
      "no fix in \(Int((step.now - fixless).value)) s with "
        + "\(Counted.text(satellites ?? 0, "satellite")) "
        + "in view; next search in \(Int(pause.value)) s at the soonest")
    return pause
  }

  // MARK: What changes the next one

  /// A sign that the sky may have changed: the next search need not wait.
  mutating func forgetBackOff() { acquisition.forgetBackOff() }

  /// The board seems to move: the next search need not wait. Later pauses are no shorter for it.
  mutating func endPause(at now: BootInstant) { acquisition.endPause(at: now) }

  /// What the receiver knew of the sky is gone: the next start is a cold one.
  mutating func forgetEphemeris() { acquisition.forgetEphemeris() }

  /// Settings have changed, the receiver has not.
  mutating func inherit(from other: GnssSearch) { acquisition.inherit(from: other.acquisition) }

  /// An earlier run's session has that id.
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
