import Records
import Core

/// The requested state of a receiver whose output is not used.
enum LowPowerMode: Hashable, Sendable {
  case off
  case sleeping

  /// The power state to request. `off` also releases the line, so it is valid without a switchable
  /// supply.
  var powerState: PowerState { self == .sleeping ? .sleep : .off }
}

/// The receiver's state while it is not in demand, and the reason.
public struct LowPowerPlan: Hashable, Sendable {
  public var choice: LowPowerDecision.Choice
  /// One sentence for people, with its figures and units.
  public var reason: String
  /// From the decision to the next demand; a guess where no date is known.
  public var pause: Seconds
  /// Nil: until an event.
  public var until: BootInstant?
  /// The pause from which a stronger mode would save energy; nil: none.
  var paysUntil: Seconds?
}

/// Chooses between on, asleep and cut for a receiver without demand, and handles a switch that
/// fails.
///
/// The choice is made when the demand ends, and again only when the pause changes. Within one pause
/// the mode only goes from on to asleep to off, so that it does not oscillate.
struct LowPowerPlanner: Sendable {
  /// Where the next demand is unknown: a night, or a working day.
  private static let unknownPause = Seconds.hours(8)
  /// A driver that loads late, or a cable that is plugged in again, is there within seconds;
  /// retrying a switch costs next to nothing.
  private static let firstSwitchRetry = Seconds(10)

  /// What can be done with the supply, as far as is known.
  private var capabilities: PowerCapabilities
  /// The receiver's currents, as far as is known.
  private var model: ReceiverEnergyModel
  private var situation: Situation
  private var sleepBreaker = SleepCircuitBreaker()
  /// After a failure to switch on.
  private var switchOn: BackOff
  private let maxRetryPause: Seconds

  private enum Situation: Sendable {
    /// On and in demand.
    case wanted
    /// On without demand.
    case leftOn(CurrentPlan)
    case low(LowPower)
  }

  private struct CurrentPlan: Sendable {
    var plan: LowPowerPlan
    /// The end of the pause in the last effect.
    var announcedUntil: BootInstant?

    /// The end of the pause, if it is not in an effect yet.
    mutating func takeChangedEnd() -> BootInstant? {
      guard let until = plan.until, until != announcedUntil else { return nil }
      announcedUntil = until
      return until
    }
  }

  private struct LowPower: Sendable {
    var mode: LowPowerMode
    /// Nil before the first session.
    var current: CurrentPlan?
    /// After a failure to switch off: the receiver is still powered.
    var switchOff: BackOff

    init(_ mode: LowPowerMode, _ plan: LowPowerPlan? = nil, maxRetryPause: Seconds) {
      self.mode = mode
      current = plan.map { CurrentPlan(plan: $0) }
      switchOff = BackOff(first: firstSwitchRetry, maxPause: maxRetryPause)
    }
  }

  init(_ capabilities: PowerCapabilities, model: ReceiverEnergyModel, maxRetryPause: Seconds) {
    self.capabilities = capabilities
    self.model = model
    self.maxRetryPause = maxRetryPause
    switchOn = BackOff(first: Self.firstSwitchRetry, maxPause: maxRetryPause)
    situation = .low(LowPower(.off, maxRetryPause: maxRetryPause))
  }

  // MARK: State

  /// Nil while the receiver is wanted.
  var plan: LowPowerPlan? {
    switch situation {
    case .wanted: nil
    case .leftOn(let current): current.plan
    case .low(let low): low.current?.plan
    }
  }

  /// The minimum draw of the receiver, its draw while searching, and the total so far.
  func draw(_ total: Joules, sources: Watts) -> EnergyDraw {
    EnergyDraw(
      total: total, resting: model.restingPower(capabilities) + sources,
      searching: model.searchingPower)
  }

  /// Nil while the receiver is on.
  private var low: LowPower? { if case .low(let low) = situation { low } else { nil } }

  /// Changes the low-power state, if there is one.
  private mutating func update(_ change: (inout LowPower) -> Void) {
    guard case .low(var low) = situation else { return }
    change(&low)
    situation = .low(low)
  }

  /// When switching off is tried again after a failure.
  var retryOff: BootInstant? { low?.switchOff.until }

  /// Until when switching on is not tried again after a failure, and why.
  func pause(at now: BootInstant) -> Pause? {
    guard let until = switchOn.until, now < until else { return nil }
    return Pause(
      until: until,
      reason: "the switch failed: waiting before attempt \(switchOn.failures + 1)")
  }

  private var canSleep: Bool { capabilities.canSleep && !sleepBreaker.isOpen }

  /// Whether the receiver's draw can be reduced, as far as is known.
  var canRest: Bool { capabilities.canCut || canSleep }

  /// Whether ephemeris that is received now will be available and fresh at the next demand.
  func keepsEphemeris(until: BootInstant?, of search: GnssSearch, at now: BootInstant) -> Bool {
    if let until, until - now > TTFFPrediction.ephemerisLife { return false }
    guard capabilities.canCut, !capabilities.hasBackup else { return true }
    let plan = weigh(until: until, canLeaveOn: false, canSleep: canSleep, of: search, at: now)
    return plan.choice != .cut
  }

  /// The cheapest mode until `until`; nil: the end is unknown.
  private func weigh(
    until: BootInstant?, canLeaveOn: Bool, canSleep: Bool, of search: GnssSearch,
    at now: BootInstant
  ) -> LowPowerPlan {
    let pause = until.map { max($0 - now, 0) } ?? Self.unknownPause
    let forecast = search.forecast(pause: pause, hasBackup: capabilities.hasBackup, at: now)
    let decision = LowPowerDecision(
      pause: pause, model: model, forecast: forecast, canLeaveOn: canLeaveOn, canSleep: canSleep,
      canCut: capabilities.canCut)
    let guess = until == nil ? "; the pause is an estimate, its end is unknown" : ""
    return LowPowerPlan(
      choice: decision.choice, reason: decision.reason + guess, pause: pause, until: until,
      paysUntil: decision.paysUntil)
  }

  // MARK: From on to low power

  /// Switches the receiver on.
  mutating func powerOn(_ step: inout TrackerStep) {
    situation = .wanted
    step.perform(.power(.on, until: nil))
  }

  /// The receiver is on and in demand.
  mutating func stayOn() { situation = .wanted }

  /// Leaves a receiver without demand on where that is cheapest. Returns whether it does.
  mutating func leaveOn(until: BootInstant?, search: GnssSearch, at now: BootInstant) -> Bool {
    guard search.hasFix || plan != nil, canRest else { return false }
    if let plan, plan.until == until { return true }
    let choice = weigh(until: until, canLeaveOn: true, canSleep: canSleep, of: search, at: now)
    guard choice.choice == .leaveOn else { return false }
    let reportedUntil: BootInstant? =
      if case .leftOn(let current) = situation { current.announcedUntil } else { nil }
    situation = .leftOn(CurrentPlan(plan: choice, announcedUntil: reportedUntil))
    return true
  }

  /// Chooses the mode for the pause and requests it. After a failed search the supply is cut if
  /// possible.
  mutating func powerDown(
    after outcome: GnssSession.Outcome, until: BootInstant?, search: inout GnssSearch,
    _ step: inout TrackerStep
  ) {
    guard canRest else {
      return stopListening(until: until, &search, &step)
    }
    let maySleep = canSleep && (outcome != .failed || !capabilities.canCut)
    let choice = weigh(
      until: until, canLeaveOn: false, canSleep: maySleep, of: search, at: step.now)
    begin(choice.choice == .sleep ? .sleeping : .off, choice, &search, &step)
  }

  /// The receiver cannot be switched: at least the board need not process its output. The receiver
  /// continues to run and to draw its current.
  private mutating func stopListening(
    until: BootInstant?, _ search: inout GnssSearch, _ step: inout TrackerStep
  ) {
    let pause = until.map { $0 - step.now } ?? Self.unknownPause
    let plan = LowPowerPlan(
      choice: .leaveOn, reason: "left on, but not read: nothing can switch the receiver",
      pause: pause, until: until)
    begin(.off, plan, &search, &step)
  }

  private mutating func begin(
    _ mode: LowPowerMode, _ plan: LowPowerPlan, _ search: inout GnssSearch,
    _ step: inout TrackerStep
  ) {
    situation = .low(LowPower(mode, plan, maxRetryPause: maxRetryPause))
    enter(mode, &search)
    request(until: plan.until, &step)
  }

  private mutating func enter(_ mode: LowPowerMode, _ search: inout GnssSearch) {
    update { $0.mode = mode }
    if mode == .off, capabilities.canCut, !capabilities.hasBackup { search.forgetEphemeris() }
  }

  /// Requests the mode from the switch.
  private mutating func request(until: BootInstant?, _ step: inout TrackerStep) {
    update { low in
      low.current?.announcedUntil = until
      step.perform(.power(low.mode.powerState, until: low.current?.announcedUntil))
    }
  }

  // MARK: While it is in low power

  /// Retries a failed switch-off: nothing drains a battery faster. Returns the text for `status`;
  /// nil when all is well.
  mutating func retryPowerDown(until: BootInstant?, _ step: inout TrackerStep) -> String? {
    guard let low, low.switchOff.failures > 0 else { return nil }
    let what = low.mode == .sleeping ? "put to sleep" : "switched off"
    if let due = low.switchOff.until, step.now >= due {
      update { $0.switchOff.retry() }
      request(until: until, &step)
    }
    return "cannot be \(what); it is retried"
  }

  /// Handles a changed pause. A longer one may be worth a cut.
  mutating func replan(until: BootInstant?, search: inout GnssSearch, _ step: inout TrackerStep) {
    guard let low, var plan = low.current?.plan, plan.until != until else { return }
    let isAsleep = low.mode == .sleeping
    if !capabilities.canCut, !isAsleep {
      plan.until = until
      plan.pause = until.map { max($0 - step.now, 0) } ?? Self.unknownPause
    } else {
      plan = weigh(until: until, canLeaveOn: false, canSleep: isAsleep, of: search, at: step.now)
    }
    update { $0.current?.plan = plan }
    guard isAsleep, plan.choice == .cut else { return }
    enter(.off, &search)
    request(until: plan.until, &step)
    step.log(.gnssCut, plan.reason)
  }

  /// Announces the end of the pause for a sleep that has to end by itself.
  mutating func announcePause(_ step: inout TrackerStep) {
    var news: BootInstant?
    if case .leftOn(var current) = situation {
      news = current.takeChangedEnd()
      situation = .leftOn(current)
    }
    update { news = $0.current?.takeChangedEnd() }
    if let news { step.perform(.expectWake(at: news)) }
  }

  // MARK: Results of the switch

  mutating func switchedOn() { switchOn.succeeded() }

  mutating func poweredDown() {
    update { $0.switchOff.succeeded() }
    if low?.mode == .sleeping { sleepBreaker.succeeded() }
  }

  /// Returns until when it is not tried again.
  mutating func powerOnFailed(at now: BootInstant) -> BootInstant? {
    _ = switchOn.failed(at: now)
    return switchOn.until
  }

  mutating func powerDownFailed(search: inout GnssSearch, _ step: inout TrackerStep) {
    switch low?.mode {
    case .sleeping:
      // Without a switch in the supply there is no alternative.
      if capabilities.canCut { countSleepFailure(&step) }
      sleepFailed(&search, &step)
    case .off where capabilities.canCut:
      // If switching on failed, there is nothing to switch off.
      if switchOn.failures == 0 { update { _ = $0.switchOff.failed(at: step.now) } }
    case .off, nil: break
    }
  }

  private mutating func countSleepFailure(_ step: inout TrackerStep) {
    guard !sleepBreaker.isOpen else { return }
    sleepBreaker.failed()
    guard sleepBreaker.isOpen else { return }
    step.log(
      .sleepUnavailable,
      "it failed \(SleepCircuitBreaker.limit) times in a row and is not retried",
      level: .warning)
  }

  /// The receiver will not go to sleep in this run.
  mutating func sleepUnavailable(_ why: String, search: inout GnssSearch, _ step: inout TrackerStep)
  {
    guard !sleepBreaker.isOpen else { return }
    sleepBreaker.open()
    step.log(.sleepUnavailable, why, level: .warning)
    if low?.mode == .sleeping { sleepFailed(&search, &step) }
  }

  /// The receiver did not go to sleep: uses the next-stronger mode, if there is one.
  private mutating func sleepFailed(_ search: inout GnssSearch, _ step: inout TrackerStep) {
    if capabilities.canCut {
      amend(.cut, "cut off, because it could not be put to sleep")
      enter(.off, &search)
      request(until: plan?.until, &step)
    } else if canSleep {
      update { _ = $0.switchOff.failed(at: step.now) }
    } else {
      amend(.leaveOn, "left on, but not read: it cannot be put to sleep")
      update { $0.switchOff.succeeded() }
      enter(.off, &search)
    }
  }

  /// Corrects the plan after a failure.
  private mutating func amend(_ choice: LowPowerDecision.Choice, _ reason: String) {
    update { low in
      low.current?.plan.choice = choice
      low.current?.plan.reason = reason
      low.current?.plan.paysUntil = nil
    }
  }

  // MARK: Learning

  /// The receiver may turn out not to keep its ephemeris after the cut was already requested.
  mutating func learn(_ capabilities: PowerCapabilities, search: inout GnssSearch) {
    self.capabilities = capabilities
    if let low { enter(low.mode, &search) }
  }

  mutating func learn(_ model: ReceiverEnergyModel) {
    if model.isPlausible { self.model = model }
  }

  /// The switch may work again.
  mutating func forgetBackOff() { switchOn.retry() }

  /// The settings have changed, the hardware has not.
  mutating func inherit(from other: LowPowerPlanner, isSameReceiver: Bool) {
    if let low = other.low { situation = .low(low) }
    if isSameReceiver { model = other.model }
  }
}

extension ReceiverEnergyModel {
  /// Whether it is usable for calculations.
  fileprivate var isPlausible: Bool {
    let currents = [acquiring, tracking, sleeping, off]
    return supply > 0 && supply.isFinite && currents.allSatisfy { $0.isFinite && $0 >= 0 }
  }
}
