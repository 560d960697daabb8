import Records
import Core
import GNSS

public struct AcquisitionSettings: Hashable, SettingGroup {
  public var minTimeout: Seconds = 45
  public var maxTimeout: Seconds = 180
  public var noSignalTimeout: Seconds = 60
  var minSatellitesInView = 3
  var firstBackOff: Seconds = 120
  var maxBackOff: Seconds = 1800
  var briefRetryPause: Seconds = 180
  public var maxHotStart: Seconds = 15
  public var holdAfterColdStart: Seconds = 30
  /// Nil: never.
  public var coldResetAfter: Int? = 3

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "acquisition", counts: .atReload,
      "Duration of a search, and the pause before the next one.")
    setting(
      "timeout_s", &maxTimeout, .quantity(5...3600),
      "Maximum duration of a search.")
    setting(
      "min_timeout_s", &minTimeout, .quantity(5...3600),
      "Minimum time before a search ends without a fix, however fast the receiver usually is. "
        + "Between the two, the limit is three times the predicted time to first fix, and at least "
        + "three times a warm start (gnss.warm_start_s, or the learnt time) unless reception is "
        + "known to be poor.")
    setting(
      "no_signal_timeout_s", &noSignalTimeout, .quantity(5...3600),
      "Time after which a search without signal ends.")
    setting(
      "min_satellites_in_view", &minSatellitesInView, .integer(0...20),
      "Minimum number of satellites in view; with fewer, a search is without signal.")
    setting(
      "first_back_off_s", &firstBackOff, .quantity(1...86_400),
      "Pause after a failed search. It doubles with every further failure.")
    setting(
      "max_back_off_s", &maxBackOff, .quantity(1...86_400),
      "Maximum of this pause.")
    setting(
      "look_pause_s", &briefRetryPause, .quantity(1...86_400),
      "Pause after a search that ended within seconds because the signals were too weak. A shorter "
        + "stay or journey may be missed.")
    setting(
      "max_hot_start_s", &maxHotStart, .quantity(1...3600),
      "Maximum time to first fix of a hot start; a longer start was warm or cold: ephemeris had to "
        + "be received.")
    setting(
      "hold_after_cold_start_s", &holdAfterColdStart, .quantity(0...3600),
      "Time for which the receiver stays on after a warm or cold start, so that the next one is "
        + "hot. Receiving the ephemeris of one satellite takes 18 to 30 s (IS-GPS-200).")
    setting(
      "cold_reset_after", &coldResetAfter, .optional(.integer(0...1000), noneAt: 0),
      "Number of consecutive failed searches, each with four satellites or more in view, after "
        + "which the receiver is commanded to clear all data and start cold. 0: never.")
    setting.ascending("min_timeout_s", "timeout_s")
    setting.ascending("first_back_off_s", "max_back_off_s")
  }
}

/// The fix attempts of one receiver: how long the present one may last, how long a fix is kept
/// without demand for it, and when the next attempt is worth its energy.
public struct Acquisition: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    case off
    case searching(since: BootInstant)
    case tracking(since: BootInstant, holdUntil: BootInstant)
  }

  let settings: AcquisitionSettings
  private(set) var phase = Phase.off
  public private(set) var prediction: TTFFPrediction
  private var evaluator = SearchEvaluator()
  private var backOff: BackOff
  private var stuck: StuckReceiver
  private var early = EarlySearches()
  private var knowledge = EphemerisKnowledge()
  /// Whether the present attempt began with a commanded restart. Its duration is not learnt.
  private var isCommanded = false
  /// The last accepted fix of this session.
  private var lastFix: BootInstant?

  public init(_ settings: AcquisitionSettings, prediction: TTFFPrediction) {
    self.settings = settings
    self.prediction = prediction
    backOff = BackOff(first: settings.firstBackOff, maxPause: settings.maxBackOff)
    stuck = StuckReceiver(limit: settings.coldResetAfter)
  }

  /// Failed searches since the last success.
  public var failures: Int { backOff.failures }
  /// No search before this moment.
  public var backedOffUntil: BootInstant? { backOff.until }
  /// The reception as reported by the receiver; nil before its first report.
  var signalQuality: SignalQuality? { evaluator.signalQuality }

  public mutating func switchedOn(at now: BootInstant) {
    phase = .searching(since: now)
    isCommanded = false
    lastFix = nil
    evaluator.began(start(at: now))
  }

  /// The pause after a failed cold start is this many times its duration. Attempts that evidence
  /// triggers (`EarlySearches`) are exempt.
  private static let coldPauseFactor = 40.0

  /// Whether the receiver has no navigation data, as far as is known.
  var startsCold: Bool { knowledge.isEmpty }

  /// The kind of start that the age of the receiver's navigation data allows.
  private func start(at now: BootInstant) -> SearchEvaluator.Start {
    guard let age = knowledge.age(at: now) else { return .cold }
    return age <= TTFFPrediction.ephemerisLife ? .hot : .warm
  }

  public mutating func received(_ signals: SatelliteReception, at now: BootInstant) {
    evaluator.received(signals, at: now)
  }

  public mutating func switchedOff(at now: BootInstant) {
    if case .tracking = phase { knowledge.tracked(until: lastFix ?? now) }
    phase = .off
  }

  /// The receiver was commanded to restart and to discard data.
  public mutating func restarted(_ kind: RestartKind, at now: BootInstant) {
    switchedOff(at: now)
    knowledge.forget(kind)
    switchedOn(at: now)
    isCommanded = true
  }

  /// An accepted fix. Returns the time to it if it is the first of this session.
  public mutating func fixAccepted(at now: BootInstant) -> Seconds? {
    lastFix = now
    guard case .searching(let since) = phase else { return nil }
    let timeToFirstFix = max(now - since, 0)
    // With weak signals a fix takes long, too, but no ephemeris can be decoded.
    let wasCold = timeToFirstFix > settings.maxHotStart && mayReceiveEphemeris
    if !isCommanded {
      evaluator.found(at: now)
      prediction.learn(timeToFirstFix, afterPause: knowledge.age(at: since))
      if wasCold, !startsCold { prediction.learnWarmStart(timeToFirstFix) }
    }
    let hold = wasCold ? settings.holdAfterColdStart : 0
    phase = .tracking(since: now, holdUntil: now + hold)
    backOff.succeeded()
    stuck.succeeded()
    early.succeeded()
    return timeToFirstFix
  }

  /// The present attempt has failed. Returns the pause before the next.
  ///
  /// A receiver that reports reception was switched off within seconds. The next attempt then only
  /// waits as long as an event may be missed.
  public mutating func gaveUp(at now: BootInstant, satellitesInView: Int? = nil) -> Seconds {
    if !isCommanded {
      evaluator.gaveUp(at: now)
      if let clear = evaluator.clearTime(until: now), case .searching(let since) = phase {
        prediction.learnCutOff(after: clear, afterPause: knowledge.age(at: since))
      }
    }
    let wasBrief = evaluator.signalQuality.map { $0 != .good } ?? false
    if !wasBrief { stuck.failed(satellitesInView: satellitesInView ?? 0) }
    guard wasBrief, case .searching(let since) = phase else { return backOff.failed(at: now) }
    // A cold receiver needs long for its first signal even under open sky, so attempts are
    // expensive.
    let cost = startsCold ? (now - since) * Self.coldPauseFactor : 0
    return backOff.failed(
      at: now, for: min(max(settings.briefRetryPause, cost), settings.maxBackOff))
  }

  /// The receiver's navigation data is lost: the next start is a cold one.
  mutating func forgetEphemeris() { knowledge.forget(.cold) }

  /// Whether the attempt that is about to begin should be a cold start. True only once between two
  /// fixes.
  mutating func takeColdReset() -> Bool {
    guard stuck.takeReset() else { return false }
    forgetEphemeris()
    return true
  }

  /// Failed searches with satellites in view, one after the other.
  var stuckSearches: Int { stuck.searches }

  /// The predicted duration of the attempt after a pause that begins now, from earlier attempts.
  /// - Parameter hasBackup: whether the receiver's navigation data outlives a cut.
  public func forecast(
    pause: Seconds, hasBackup: Bool, at now: BootInstant
  ) -> RestartForecast {
    let age: Seconds? =
      if case .tracking = phase { lastFix.map { now - $0 } ?? 0 } else { knowledge.age(at: now) }
    let afterSleep = prediction.predicted(afterPause: age.map { $0 + pause })
    return RestartForecast(
      afterSleep: afterSleep,
      afterCut: hasBackup ? afterSleep : prediction.predicted(afterPause: nil))
  }

  /// Reception may have changed (new cell, a command): the next attempt may come at once.
  mutating func forgetBackOff() { backOff.succeeded() }

  /// Ends the present pause, unless that has happened too often. The failure count stays.
  public mutating func endPause(at now: BootInstant) {
    guard let until = backOff.until, now < until, early.spend(at: now) else { return }
    backOff.retry()
  }

  /// Since when the receiver has been on without an accepted fix; nil while it is off.
  var fixlessSince: BootInstant? {
    switch phase {
    case .off: nil
    case .searching(let since): since
    case .tracking(let since, _): lastFix ?? since
    }
  }

  /// The latest moment for a fix before the attempt is abandoned; nil while the receiver is off. A
  /// fix that is lost in a tunnel or through a receiver failure is also waited for, but not for
  /// ever.
  public var deadline: BootInstant? {
    guard let fixlessSince else { return nil }
    guard case .searching = phase else { return fixlessSince + settings.maxTimeout }
    return fixlessSince + limit(at: fixlessSince)
  }

  /// When to check whether the receiver receives any signals.
  var signalCheck: BootInstant? {
    guard evaluator.signalQuality == nil, case .searching(let since) = phase else { return nil }
    let timeout = max(settings.noSignalTimeout, needed(at: since))
    return timeout < limit(at: since) ? since + timeout : nil
  }

  /// Whether the present attempt should be abandoned.
  /// - Parameters:
  ///   - worth: how many seconds of searching a fix is worth.
  ///   - satellitesInView: the last count reported; nil if there was none.
  public func hasNoChance(at now: BootInstant, worth: Seconds, satellitesInView: Int?) -> Bool {
    if let deadline, now >= deadline { return true }
    if case .searching = phase, evaluator.signalQuality != nil {
      return evaluator.objection(worth: worth, at: now) != nil
    }
    guard let signalCheck, now >= signalCheck else { return false }
    return (satellitesInView ?? 0) < settings.minSatellitesInView
  }

  /// Until when the fix should be kept without demand; nil when it may be dropped.
  public func holdUntil(at now: BootInstant) -> BootInstant? {
    guard case .tracking(_, let until) = phase, now < until else { return nil }
    return until
  }

  /// Three times the slowest expected start, within the settings' bounds, but long enough for a
  /// search to succeed.
  private func limit(at since: BootInstant) -> Seconds {
    let age = knowledge.age(at: since)
    let needed =
      mayReceiveEphemeris
      ? prediction.slowest(afterPause: age) : prediction.predicted(afterPause: age)
    let wanted = max(needed * TTFFPrediction.limitFactor, settings.minTimeout)
    return max(min(wanted, settings.maxTimeout), needed * 1.5)
  }

  /// Whether a warm or cold start could succeed with this reception, as far as is known.
  private var mayReceiveEphemeris: Bool { (evaluator.signalQuality ?? .good) == .good }

  /// The predicted duration of such a start under open sky.
  private func needed(at since: BootInstant) -> Seconds {
    prediction.predicted(afterPause: knowledge.age(at: since))
  }
}

extension Acquisition {
  private static let fields = SnapshotFields<Acquisition>([
    BackOff.failuresField.of(\.backOff), .part("prediction", \.prediction, TTFFPrediction.fields),
    .part("stuck", \.stuck, StuckReceiver.fields), .omittable("signals", \.learntSignals, .json),
  ])

  /// What was learnt of signals during searches; nil: nothing.
  private var learntSignals: JSONValue? {
    get { evaluator.snapshot }
    set { evaluator.restore(newValue) }
  }

  var snapshot: JSONValue { Self.fields.snapshot(of: self) }

  /// The settings have changed, the receiver has not: it starts as hot or cold as before.
  mutating func inherit(from other: Acquisition) { knowledge = other.knowledge }

  /// Continues with the back-off count and the times to first fix of an earlier run. The board was
  /// not observed in between, so the first attempt comes at once.
  mutating func restore(_ snapshot: JSONValue?) {
    self = Self.fields.restored(snapshot, onto: self) ?? self
  }
}
